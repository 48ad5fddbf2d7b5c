"""wrk, wrk2 and the programs that print their report."""
