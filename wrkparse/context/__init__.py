"""Labels of runs from the text around them: headings, commands, paths and ``wrkparse.yaml``."""
