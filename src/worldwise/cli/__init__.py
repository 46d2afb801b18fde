"""The command line: one module a group of commands; each reads, calls and prints."""
