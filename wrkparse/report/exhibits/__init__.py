"""What a notebook shows and a report prints: tables and figures with captions."""
