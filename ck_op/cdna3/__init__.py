"""A CDNA3 interpreter: see README.md."""
