"""Random programs that are grown by running them (`growing`), by themes (`themes`)."""
