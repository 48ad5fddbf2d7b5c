"""Code that several commands use: options, opening of stores and logs, printing, exit codes."""
