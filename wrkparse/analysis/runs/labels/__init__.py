"""Labels of runs: their values, and the labels in which runs differ."""
