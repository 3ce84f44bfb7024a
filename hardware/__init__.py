"""The hardware of a table: layouts, the link, the firmware of cups and boards, and the emulated far end of each bus."""
