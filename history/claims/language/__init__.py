"""What can be claimed, and how is it written down?

claims file -> claims_file (claim_fields, predicates) -> claim -> claims_text
"""
