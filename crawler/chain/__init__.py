"""Bytes that did not come by git."""
