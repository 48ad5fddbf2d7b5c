"""What commands print: tables, diagnostics, progress."""
