"""The game: rules in, games out. Knows no network, no database, no clock but the search's."""
