"""`time`: the programs of GNU, BSD, macOS, busybox and toybox, the keyword of the shells, and Measure-Command."""
