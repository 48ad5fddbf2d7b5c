"""What the text around a run says of it: headings, commands, paths and wrkparse.yaml become labels."""
