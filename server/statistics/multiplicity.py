"""Many questions at once: how many of the answers may be trusted together.

Inside an experiment the secondary metrics have p-values, and Holm's adjustment bounds the chance
that any of those called different is not. Over the whole site a list of findings is read instead,
and what matters is the share of false ones in it: the e-BH procedure bounds its expectation.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .gsprt import Floats


def holm(p: ArrayLike) -> Floats:
    """Holm's adjusted p-values (m,), in the order given; reject where they are at most alpha.

    With the p-values sorted, p_(1) <= ... <= p_(m), the adjusted one is the running maximum of
    min(1, (m - i + 1) p_(i)) (Holm 1979). Whatever the dependence between the p-values, the chance
    of any false rejection is at most alpha; anytime-valid p-values stay so.
    ValueError unless every p lies in [0, 1].
    """
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or not np.all((values >= 0) & (values <= 1)):
        raise ValueError("p-values are one row of numbers in [0, 1]")
    order = np.argsort(values, kind="stable")
    factors = np.arange(values.size, 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.maximum.accumulate(np.minimum(factors * values[order], 1))
    return adjusted


def e_bh(e: ArrayLike, level: float = 0.05) -> NDArray[np.bool_]:
    """Which of the e-values (m,) are findings, with a false discovery rate of at most ``level``.

    Reject the k largest for the greatest k with e_[k] >= m / (level k), e_[k] the k-th largest
    (Wang and Ramdas, "False discovery rate control with e-values", 2022). Valid under any
    dependence, for **current** e-values: the greatest e-value of a path so far is not one, and fed
    in here it loses the guarantee. Infinite e-values are allowed.
    ValueError when one is negative or not a number, or the level is not in (0, 1).
    """
    values = np.asarray(e, dtype=np.float64)
    if values.ndim != 1 or not np.all(values >= 0):
        raise ValueError("e-values are one row of numbers that are not negative")
    if not 0 < level < 1:
        raise ValueError(f"a level lies in (0, 1), not at {level}")
    falling = np.sort(values)[::-1]
    enough = np.flatnonzero(falling * level * np.arange(1, values.size + 1) >= values.size)
    if enough.size == 0:
        return np.zeros(values.shape, dtype=np.bool_)
    return np.asarray(values >= falling[enough[-1]])
