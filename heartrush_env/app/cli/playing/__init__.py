"""The parts of `heartrush play`: one file each for input, menus, typed dice, hints, output and the summary."""
