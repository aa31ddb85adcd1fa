"""What do answers look like as JSON?

In: what the other rooms found. Out: plain dicts and lists. `history.records.records` has those of
one board, `reign_record` and `split_record` those of first place and of splits, `store_records`
those of a store, `audit_record` that of an audit.
"""
