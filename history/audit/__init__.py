"""Does a board's history agree with itself?

In: SCORES and READINGS. Out: an Audit. Start at audit() in `history.audit.audit`; what looks
wrong in the files is found in `history.audit.smells`.
"""
