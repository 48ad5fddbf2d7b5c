"""Commands for people who teach wrkparse another tool."""
