"""Commands that fill a store, show its tables and export them."""
