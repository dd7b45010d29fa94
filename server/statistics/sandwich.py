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

from .edge_form import EdgeForm, Reals
from .gsprt import Floats


@dataclass(frozen=True)
class Covariance:
    """A covariance matrix that is multiplied out only as far as it is asked for.

    Of thousands of ratings the errors are wanted, which are its diagonal, and some differences. As
    B is a sum over those who met, each of these costs as many operations as there are pairs that
    met; the matrix itself would cost two products of n^3.
    """

    bread: Reals
    """A^-1 (n, n), symmetric; in either precision."""
    meat: EdgeForm | None = None
    """B, with its factor for few clusters; None where the covariance is A^-1 itself."""

    @classmethod
    def clustered(
        cls, bread: Reals, meat: EdgeForm, clusters: float, parameters: int
    ) -> Covariance:
        """The sandwich; with no more clusters than parameters it is as wide as with one more."""
        return cls(bread, meat.times(clusters / max(clusters - parameters, 1.0)))

    def variances(self) -> Floats:
        """The diagonal (n,)."""
        if self.meat is None:
            return np.diagonal(self.bread).astype(np.float64)
        return self.meat.values(self.bread)

    def column(self, i: int) -> Floats:
        """The covariances with estimate ``i`` (n,)."""
        column = self.bread[:, i].astype(np.float64)
        if self.meat is None:
            return column
        image = self.meat.apply(column).astype(self.bread.dtype)
        return (self.bread @ image).astype(np.float64)

    def matrix(self) -> Floats:
        """All of it (n, n)."""
        bread = self.bread.astype(np.float64)
        return bread if self.meat is None else bread @ self.meat.dense() @ bread

    def variances_from(self, origin: int) -> Floats:
        """The variances (n,) of the differences from estimate ``origin``."""
        column = self.column(origin)
        found = self.variances() + column[origin] - 2 * column
        found[origin] = 0.0
        return np.asarray(np.maximum(found, 0.0))

    def variance_of_difference(self, one: int, other: int) -> float:
        """The variance of estimate ``one`` less estimate ``other``."""
        contrast = self.bread[:, one].astype(np.float64) - self.bread[:, other]
        if self.meat is None:
            return max(0.0, float(contrast[one] - contrast[other]))
        return max(0.0, float(contrast @ self.meat.apply(contrast)))
