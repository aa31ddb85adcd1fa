"""HTTP with servers that may be slow, broken or hostile."""
