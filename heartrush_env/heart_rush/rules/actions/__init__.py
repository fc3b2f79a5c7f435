"""What a fighter may choose: the actions of the action phase and the choices of other windows, a file each."""
