"""The parts of `heartrush play`: one file each for input, menus, given dice, hints, pictures and the summary."""
