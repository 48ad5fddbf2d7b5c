"""The checks of the audit, one module for each kind. They read `run_arrays` and yield `finding.Findings`."""
