"""A venue: many tables on one broker, their record in a database, tournaments, and their page."""
