"""Which statements near a false claim are true? Start at `search`."""
