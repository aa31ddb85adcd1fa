"""Is what was said about a board right?

    claims_file, sentence -> claim -> evaluate (states, period, duration, compound) -> verdict

Start reading at `evaluate.check()`.
"""
