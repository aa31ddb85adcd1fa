"""Is a claim about numbers or a table of its own right?"""
