"""The whole language, recorded: programs by construct, and one driver (see `judge`)."""
