"""Other Offensive Actions that replace an attack: grapple, climb on, hinder and stunts, with a file for each."""
