"""The process `dudo-table phones`: it passes the link's frames between guests' phones and the daemon, and keeps none.

`server` has the pages and the way in, `door` its code and guests, `seat_port` a phone's socket for the daemon, and
`phone_socket` its WebSocket.
"""
