"""One module for each figure or pair of figures: from a dataset, or from what an analysis returned, to Axes."""
