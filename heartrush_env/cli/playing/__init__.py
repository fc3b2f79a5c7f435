"""What `heartrush play` is made of: one file each for input, menus, given dice, hints, pictures and the summary."""
