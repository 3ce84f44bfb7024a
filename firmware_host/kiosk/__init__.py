"""The TV of a table: the browser that shows the public page on it in full screen, and its power by HDMI-CEC."""
