"""Is what was said about a board right?

    language, sentence -> claim -> evaluate (states, windows, lasting) -> verdict

Start reading at `evaluate.check()`.
"""
