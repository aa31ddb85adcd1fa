"""What is damaged, and how it is mended."""
