"""How does a model card become drafted claims?

Start at draft.draft().
"""
