"""What does a sentence claim?"""
