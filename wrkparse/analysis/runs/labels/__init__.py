"""Labels of runs: their values, and which of them tell runs apart."""
