"""Which editions did a board have, and can scores of two of them be compared?

In: READINGS, SCORES and what the files say beside their rows. Out: recomputed scores
(`history.editions.recompute`), the table of editions (`history.editions.editions`), maps between
their scales (`history.editions.equating`) and whether two versions can be compared at all
(`history.editions.comparable`).
"""
