"""What talks to another git repository?"""
