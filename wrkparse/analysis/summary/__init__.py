"""What a set of runs shows, for the first page of a report: title, sentences, trust, and what is absent."""
