"""The checks of the audit, a module for each kind; `sheet` is what they work on, `finding` what they give."""
