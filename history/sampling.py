"""How far may a share of right answers be off by the choice of items alone?

In: shares and numbers of items. Out: standard errors, in arrays. Start at of_shares(). The level
and the normal quantile stand here too, so that all that is called significant is so by one number.
Methods 3.1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95
Z = 1.959963984540054  # a normal number is inside -Z .. Z with the chance LEVEL


def of_shares(p: ArrayLike, n: ArrayLike) -> NDArray[np.float64]:
    """Standard errors of shares of n items: sqrt(p (1 - p) / n).

    Args:
        p: shares of right answers, 0 to 1.
        n: items behind each, above 0.

    Returns:
        As many as there are shares; nan where a share or a number of items is none.

    >>> (100 * of_shares(0.74, [100, 2000])).round(2).tolist()
    [4.39, 0.98]
    """
    share = np.asarray(p, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        error: NDArray[np.float64] = np.sqrt(share * (1 - share) / np.asarray(n, dtype=np.float64))
    return error


def normal_quantile(p: float) -> float:
    """The number that a standard normal one stays below with the chance p.

    >>> round(normal_quantile(0.975), 2)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri(p))
