"""An executed notebook as a document tree."""
