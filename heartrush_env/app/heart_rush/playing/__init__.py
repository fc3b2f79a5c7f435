"""How a person plays Heart Rush in a terminal: `opening.SESSION` names the session, and `heartrush play` finds it."""
