"""The bridge to a venue: it passes a table's public lines on to an MQTT broker, and loses none."""
