"""The command line `heartrush`: a module for each subcommand."""
