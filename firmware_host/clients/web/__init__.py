"""Common parts of the page servers: access checks, connection limits, and the addresses to show."""
