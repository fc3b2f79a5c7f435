"""Other Offensive Actions: grapple, climb on, hinder and stunts, one file each, in place of an attack."""
