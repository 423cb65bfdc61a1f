"""The check groups: small runs of the program with expectations made independently of it."""
