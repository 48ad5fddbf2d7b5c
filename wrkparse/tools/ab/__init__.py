"""ab: its report, its HTML, and the files of -g and -e."""
