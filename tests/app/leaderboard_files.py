"""Files for `ranktrail add` to find: small leaderboards as a repository may hold them."""

from __future__ import annotations

TABLE = "Rank,Model,Overall,Cost\n1,fern,81.2,9\n2,moss,80.1,3\n3,oak,79.5,5\n4,elm,70.0,1\n"

BEFORE = "Rank,Model,Overall,Cost\n1,moss,80.1,3\n2,oak,79.5,5\n3,elm,70.0,1\n4,ivy,1,1\n"

EQUAL = "model,score\na,3\nb,2\nc,1\n"
