"""One module per family of pages."""
