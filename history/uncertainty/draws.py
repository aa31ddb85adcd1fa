"""What would chance alone do to the differences between scores?

In: standard errors, or a covariance. Out: draws of all scores at once, and the largest differences
among them in standard errors. Start at JointErrors.of() and largest_differences(). Methods 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

DRAWS = 10_000
SEED = 20_260_307
BLOCK = 512  # draws at once: 229 entries of them stay in a processor's cache

Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class JointErrors:
    """How far the scores of a table may be off together (Sigma).

    Attributes:
        single: standard error of each score, above 0, shape (n,).
        covariance: of all scores, shape (n, n); None where they are independent.
    """

    single: Floats
    covariance: Floats | None = None

    @classmethod
    def of(cls, given: ArrayLike) -> JointErrors:
        """Errors from standard errors of independent scores (n,), or from a covariance (n, n).

        Raises:
            ValueError: not of this shape; an error that is not above 0; not a covariance; two
                scores whose difference has no error.

        >>> JointErrors.of([3.0, 4.0]).to(0).tolist()
        [0.0, 5.0]
        >>> JointErrors.of([[1.0, 0.5], [0.5, 1.0]]).to(0).tolist()
        [0.0, 1.0]
        """
        found = np.asarray(given, dtype=np.float64)
        if found.ndim == 1:
            single, covariance = found, None
        elif found.ndim == 2 and found.shape[0] == found.shape[1]:
            covariance, single = found, np.sqrt(np.maximum(np.diagonal(found), 0.0))
        else:
            raise ValueError(f"errors of shape {found.shape}: give (n,) or (n, n)")
        if not (np.isfinite(found).all() and (single > 0).all()):
            raise ValueError("a standard error is a finite number above 0")
        made = cls(single, covariance)
        if covariance is not None:
            if not np.allclose(covariance, covariance.T):
                raise ValueError("a covariance is symmetric")
            least = np.linalg.eigvalsh(covariance)[0] if len(single) else 0.0
            if least < -1e-9 * float(single.max(initial=0.0)) ** 2:
                raise ValueError(f"no covariance: it has the eigenvalue {least:g}")
            for k in range(len(single)):
                if (np.delete(made.to(k), k) <= 1e-9 * single[k]).any():
                    raise ValueError(f"score {k} and another always move together")
        return made

    def __len__(self) -> int:
        return len(self.single)

    def to(self, k: int) -> Floats:
        """Standard error of the difference of every score to score k, shape (n,); 0 for itself."""
        if self.covariance is None:
            error = np.hypot(self.single, self.single[k])
        else:
            both = self.single**2 + self.single[k] ** 2 - 2 * self.covariance[k]
            error = np.sqrt(np.maximum(both, 0.0))
        error[k] = 0.0
        return error

    def differences(self) -> Floats:
        """Standard errors of all differences, shape (n, n); 0 on the diagonal."""
        return np.array([self.to(k) for k in range(len(self))]).reshape(len(self), len(self))

    def sigma(self) -> str:
        """What is assumed of the errors together, in words."""
        if self.covariance is None:
            return "Sigma: the errors of different entries are independent of each other"
        return "Sigma: the covariance of the errors, as given"

    def drawn(self, draws: int, seed: int, block: int = BLOCK) -> Iterator[Floats]:
        """Draws of N(0, Sigma), in blocks of shape (draws in the block, n).

        The draws depend on the seed alone, not on the size of the blocks.
        """
        rng = np.random.default_rng(seed)
        root = None if self.covariance is None else _root(self.covariance)
        for start in range(0, draws, block):
            normal = rng.standard_normal((min(block, draws - start), len(self)))
            yield normal * self.single if root is None else normal @ root.T


def _root(covariance: Floats) -> Floats:
    """A matrix whose product with its transpose is the covariance, also of one without full rank."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What chance does, draw by draw.

    Attributes:
        scores: the draws, float32, shape (n, draws).
        largest: of each entry and draw, the largest difference to another entry, either way, in
            standard errors of that difference, float32, shape (n, draws).
        seed: where they came from.
    """

    scores: Floats
    largest: Floats
    seed: int

    @property
    def draws(self) -> int:
        """How many."""
        return self.scores.shape[1]


def largest_differences(errors: JointErrors, draws: int = DRAWS, seed: int = SEED) -> Drawn:
    """Draw all scores and take the largest difference of each entry, in standard errors.

    Goes through all pairs of all draws, in blocks: 8 bytes per entry and draw, and time with the
    square of the entries.

    Args:
        errors: of 2 entries or more.
        draws, seed: how often, and from which seed.

    >>> drawn = largest_differences(JointErrors.of([1.0, 1.0]), draws=4)
    >>> gap = abs(drawn.scores[0] - drawn.scores[1]) / 2**0.5
    >>> bool(np.allclose(drawn.largest, gap))
    True
    """
    n = len(errors)
    # A millionth in a quantile is far below what the draws themselves leave open.
    scores, largest = np.empty((n, draws), np.float32), np.zeros((n, draws), np.float32)
    per_error = _per_error(errors)
    room = np.empty((n, BLOCK), np.float32)
    start = 0
    for block in errors.drawn(draws, seed):
        stop = start + len(block)
        scores[:, start:stop] = block.T
        z = np.ascontiguousarray(scores[:, start:stop])
        found = np.zeros(z.shape, np.float32)
        for k in range(n - 1):
            gaps = room[: n - 1 - k, : len(block)]
            np.subtract(z[k + 1 :], z[k], out=gaps)
            np.abs(gaps, out=gaps)
            np.multiply(gaps, per_error[k, k + 1 :, None], out=gaps)
            np.maximum(found[k], gaps.max(axis=0), out=found[k])
            np.maximum(found[k + 1 :], gaps, out=found[k + 1 :])
        largest[:, start:stop] = found
        start = stop
    return Drawn(scores, largest, seed)


def largest_among(
    drawn: Drawn, which: NDArray[np.integer], errors: JointErrors, active: NDArray[np.bool_]
) -> Floats:
    """The largest difference of some draws over some pairs, in standard errors.

    Args:
        drawn: the draws.
        which: numbers of the draws wanted.
        errors: the same as made the draws.
        active: shape (n, n): whether (j, k), how far j is above k, counts.

    Returns:
        float32, one per draw wanted; 0 where no pair counts, or none is above.
    """
    z, per_error = np.ascontiguousarray(drawn.scores[:, which]), _per_error(errors)
    found = np.zeros(len(which), np.float32)
    for k in range(len(errors)):
        rivals = np.flatnonzero(active[:, k])
        if len(rivals):
            gaps = (z[rivals] - z[k]) * per_error[rivals, k, None]
            np.maximum(found, gaps.max(axis=0), out=found)
    return found


def _per_error(errors: JointErrors) -> Floats:
    apart = errors.differences()
    return np.divide(1.0, apart, out=np.zeros_like(apart), where=apart > 0).astype(np.float32)


def place_of_quantile(level: float, draws: int) -> int:
    """Which draw, in rising order from 0, has at least a share `level` of all at or below it.

    >>> place_of_quantile(0.95, 10_000), place_of_quantile(0.95, 19)
    (9499, 18)
    """
    return max(0, min(draws, -int(-(level * draws) // 1)) - 1)
