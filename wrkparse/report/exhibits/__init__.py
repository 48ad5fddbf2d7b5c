"""Tables, figures and texts that a notebook displays and a report prints."""
