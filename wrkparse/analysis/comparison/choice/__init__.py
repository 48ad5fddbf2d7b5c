"""What a comparison is about: which runs, by which metrics, labels and baseline."""
