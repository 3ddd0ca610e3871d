"""The command line: what it understands, shows and answers."""
