"""One module for each figure or pair of figures, which draws a dataset or the result of an analysis into Axes."""
