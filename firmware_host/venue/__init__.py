"""The venue: it follows all tables of an MQTT broker into a database, and serves a page of them."""
