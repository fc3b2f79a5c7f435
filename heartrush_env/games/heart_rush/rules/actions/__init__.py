"""A fighter's choices: the actions of the action phase and the choices of other windows, with a file per topic."""
