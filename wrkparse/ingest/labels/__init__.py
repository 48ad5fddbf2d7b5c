"""Labels that follow from all sources of an ingest together, as rows of ``labels``."""
