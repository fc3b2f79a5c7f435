"""Other Offensive Actions that replace an attack: grapple, climb on, hinder and stunts, one file each."""
