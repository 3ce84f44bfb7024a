"""What the owner writes: layouts, house rules, what stands in for a cup; which of them is in force."""
