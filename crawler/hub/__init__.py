"""What the Hugging Face Hub says."""
