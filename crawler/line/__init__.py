"""The published line, and the versions on it."""
