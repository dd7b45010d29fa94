"""The covariance of maximum likelihood estimates, with or without belief in the model.

A^-1, the inverse of the observed information, is the covariance if the likelihood is right. If only
its slopes are (their mean is nought at the truth), it is the sandwich A^-1 B A^-1, B the sum over
independent clusters of the outer product of the cluster's slope (Huber 1967; White 1982; Liang and
Zeger 1986). Residuals are smaller than errors: B is multiplied by c / (c - k) for k parameters
estimated from c clusters (MacKinnon and White 1985), without which intervals are too narrow in a
pool of a few dozen pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .gsprt import Floats


@dataclass(frozen=True)
class Covariance:
    """A covariance matrix that is multiplied out only as far as it is asked for."""

    bread: Floats
    """A^-1 (n, n), symmetric."""
    half: Floats | None = None
    """A^-1 B (n, n); None where the covariance is A^-1 itself."""

    @classmethod
    def clustered(cls, bread: Floats, meat: Floats, clusters: float, parameters: int) -> Covariance:
        """The sandwich; with no more clusters than parameters it is as wide as with one more."""
        stretch = clusters / max(clusters - parameters, 1.0)
        return cls(bread, bread @ (meat * stretch))

    def variances(self) -> Floats:
        """The diagonal (n,)."""
        if self.half is None:
            return np.diagonal(self.bread).copy()
        return np.asarray(np.einsum("ij,ji->i", self.half, self.bread))

    def column(self, i: int) -> Floats:
        """The covariances with estimate ``i`` (n,)."""
        column = self.bread[:, i]
        return np.asarray(column if self.half is None else self.half @ column)

    def matrix(self) -> Floats:
        """All of it (n, n)."""
        return np.asarray(self.bread if self.half is None else self.half @ self.bread)

    def variances_from(self, origin: int) -> Floats:
        """The variances (n,) of the differences from estimate ``origin``."""
        column = self.column(origin)
        found = self.variances() + column[origin] - 2 * column
        found[origin] = 0.0
        return np.asarray(np.maximum(found, 0.0))

    def variance_of_difference(self, one: int, other: int) -> float:
        """The variance of estimate ``one`` less estimate ``other``."""
        mine, theirs = self.column(one), self.column(other)
        return max(0.0, float(mine[one] - mine[other] - theirs[one] + theirs[other]))
