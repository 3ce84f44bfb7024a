"""The bridge to a venue: it forwards a table's public lines to an MQTT broker without losing any."""
