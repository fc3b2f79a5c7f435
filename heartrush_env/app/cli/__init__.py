"""The command line `heartrush`, with one module per subcommand."""
