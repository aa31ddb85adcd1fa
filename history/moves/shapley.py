"""How is a change shared among the switches that made it?

In: what holds for every setting of some switches, as an array. Out: the share of each switch.
Start at shapley().

The share of a switch is what it changes when it is switched, averaged over all orders in which
the switches can be switched (Shapley 1953; for decompositions Shorrocks 2013). It is the only rule
whose shares add up to the whole change, that treats switches alike, that gives nothing to a switch
that changes nothing, and that is linear, so that shares may be added over rivals.
"""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy.typing import NDArray

# Shares of up to four switches are whole in this unit: 4! of them are one place.
UNIT = 24


def shapley(values: NDArray[np.generic], switches: int) -> tuple[NDArray[np.integer], int]:
    """Shares of a change, exactly.

    Args:
        values: shape (2,) * switches + rest: what holds where each switch is off (0) or on (1);
            whole numbers or booleans.
        switches: 0 to 7.

    Returns:
        Shares, shape (switches,) + rest, and the number of them that make one place. They add
        up to the change from all off to all on.

    >>> off_on = np.array([[0, 1], [1, 1]])  # either switch is enough
    >>> shares, one = shapley(off_on, 2)
    >>> shares.tolist(), one
    ([1, 1], 2)
    """
    # Shares of yes and no are small; of large boards there are many.
    numbers = values.astype(np.int32 if values.dtype == bool else np.int64)
    rest = numbers.shape[switches:]
    corners = numbers.reshape(1 << switches, *rest)
    shares = np.zeros((switches, *rest), dtype=numbers.dtype)
    for switch in range(switches):
        bit = 1 << (switches - 1 - switch)  # the first switch is the first axis
        for off in range(1 << switches):
            if not off & bit:
                on_before = off.bit_count()
                orders = factorial(on_before) * factorial(switches - on_before - 1)
                shares[switch] += orders * (corners[off | bit] - corners[off])
    return shares, factorial(switches)


def in_units(values: NDArray[np.generic], switches: int) -> NDArray[np.integer]:
    """Shares of up to four switches in 24ths, whatever their number, so that they can be added.

    >>> in_units(np.array([0, 1]), 1).tolist(), in_units(np.array([[0, 1], [1, 1]]), 2).tolist()
    ([24], [12, 12])
    """
    shares, one = shapley(values, switches)
    return shares * (UNIT // one)
