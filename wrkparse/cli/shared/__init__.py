"""What all commands share: options, opening a store, tables and numbers as text, exit codes."""
