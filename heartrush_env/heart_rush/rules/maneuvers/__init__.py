"""Other Offensive Actions: grappling, climbing on, hindering and stunts, a file each, in place of an attack."""
