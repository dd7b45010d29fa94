"""The generalized sequential probability ratio test of normalized Elo, exactly.

A hypothesis fixes not the mean mu of a unit but its distance from 1/2 in standard deviations,

    t = (mu - 1/2) / sigma = nelo sqrt(games per unit) / 347.4356

(Van den Bergh, "Normalized Elo" and "A practical introduction to normalized Elo", 2021). Among all
distributions on the scores 0 .. 1 with this t, the most likely one has the form

    p_j = n_j / N / (1 + x a'_j),   a'_j = a_j - 1/2 - t/2 (s + (a_j - c)^2 / s)

with s = sigma and c = mu of p itself. Given s and c it is the distribution of mean 0 on the values
a', which :func:`.gsprt.greatest_growth` finds; and since t sigma is the least value that t/2 (s +
E(a - c)^2 / s) takes over all s > 0 and c, taking s and c from the p just found moves towards the
solution, in one of two ways.

Let t > 0 (for t < 0 look at the scores from the other side). Where the counts themselves have less
than t, all distributions with "t or more" are the union of the half-spaces E a' >= 0 over s and c;
the deviance is the minimum of theirs, and every step lowers it. Where the counts have more than t,
"t or less" is the intersection of the half-spaces E a' <= 0; the deviance is the maximum of theirs,
and a step that does not raise it is halved. For the small t of engine tests three or four steps
suffice. As in :mod:`.gsprt` the intervals of x are closed, so that empty cells need no inventions.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from .confidence import interval as mean_interval
from .elo import NELO_PER_SIGMA
from .gsprt import Floats, checked, deviance_at, greatest_growth

_FARTHEST = 5000
_NONE = 1e-12
_STEPS = 500
_PRECISION = 1e-7  # of c and s; the deviance is stationary in both
_STRAIGHT = 0.6
_BISECTIONS = 40
_SPREAD_SHARE = 0.1
"""Of alpha, what the interval of the spread may err: the edge is the harder one to know."""


def deviance(counts: ArrayLike, nelo: ArrayLike, *, games_per_unit: int = 2) -> Floats:
    """K(nelo): twice this is asymptotically chi-squared with one degree of freedom.

    ``counts`` (..., k) over equally spaced scores 0 .. 1, lowest first: five cells for game pairs,
    three for single games (``games_per_unit=1``). ``nelo`` lies within +-5000 and broadcasts
    against the leading axes. Without a unit it is 0.
    """
    t = _in_deviations(nelo, games_per_unit)
    n = np.asarray(counts, dtype=np.float64)
    n, scores = checked(n, np.linspace(0, 1, n.shape[-1] if n.ndim else 1))
    shape = np.broadcast_shapes(n.shape[:-1], t.shape)
    t = np.broadcast_to(t, shape).ravel()
    rows = np.broadcast_to(n, (*shape, scores.size)).reshape(-1, scores.size)
    # Seen from the weaker side when t < 0.
    rows = np.where(t[:, None] < 0, rows[:, ::-1], rows)
    return _deviance(rows, scores, np.abs(t)).reshape(shape)


def llr(counts: ArrayLike, nelo0: float, nelo1: float, *, games_per_unit: int = 2) -> Floats:
    """Log-likelihood ratio of ``nelo1`` against ``nelo0``, shape of ``counts`` without k.

    Arguments as for :func:`deviance`.
    """
    n = np.asarray(counts, dtype=np.float64)
    k = deviance(n[..., None, :], np.array([nelo0, nelo1]), games_per_unit=games_per_unit)
    return np.asarray(k[..., 0] - k[..., 1])


def closed_form(
    counts: ArrayLike, nelo0: float, nelo1: float, *, games_per_unit: int = 2
) -> Floats:
    """A close approximation of :func:`llr`, to about 0.001 within +-3 and a few nElo of bounds:

        games / 2 log( (1 + (t - t0)^2) / (1 + (t - t1)^2) ),   t = nelo / 347.4356 of a game

    the ratio for Gaussian units ("A practical introduction", section 4.2). The spread of the
    counts is taken for that of the units, so units that are all alike give its limit 0, and so
    does no unit at all. Not to be stopped on; for checks and for drawing.
    """
    n = np.asarray(counts, dtype=np.float64)
    n, scores = checked(n, np.linspace(0, 1, n.shape[-1] if n.ndim else 1))
    units = n.sum(axis=-1)
    mean, sd = _moments(n, scores)
    spread = sd > 0
    t = np.where(spread, (mean - 0.5) / np.where(spread, sd, 1), 0) / math.sqrt(games_per_unit)
    t0, t1 = _in_deviations(nelo0, 1), _in_deviations(nelo1, 1)
    ratio = np.log1p((t - t0) ** 2) - np.log1p((t - t1) ** 2)
    return np.asarray(np.where(spread, units * games_per_unit / 2 * ratio, 0.0))


def _in_deviations(nelo: ArrayLike, games_per_unit: int) -> Floats:
    """The distance of the mean from 1/2 in standard deviations of a unit."""
    elo = np.asarray(nelo, dtype=np.float64)
    if not np.all(np.abs(elo) <= _FARTHEST):
        raise ValueError(f"a normalized Elo to be tested lies within +-{_FARTHEST:g}")
    return np.asarray(elo * math.sqrt(games_per_unit) / NELO_PER_SIGMA)


def interval(
    counts: ArrayLike, alpha: float = 0.05, *, games_per_unit: int = 2
) -> tuple[Floats, Floats]:
    """A confidence sequence's interval of normalized Elo: it may be watched.

    With d = mu - 1/2 and q = E (a - 1/2)^2, t = d / sqrt(q - d^2) rises in d, and falls in q where
    d > 0. Both d and q are means of bounded numbers and have confidence sequences by betting
    (:mod:`.confidence`), at 0.9 and 0.1 alpha, which hold together at level 1 - alpha; the ends are
    the extremes of t over both. They are infinite where no spread at all is excluded.

    ``counts`` (..., k) as for :func:`deviance`; both ends have their shape without k. An interval
    of the edge alone over the spread that was seen is none: of a player who wins 98 pairs in 100 it
    misses the truth before the first loss has been seen often enough.
    """
    n = np.asarray(counts, dtype=np.float64)
    n, scores = checked(n, np.linspace(0, 1, n.shape[-1] if n.ndim else 1))
    # By four times the square of their distance from 1/2; of two scores nobody is at 0.
    squares = np.round((2 * scores - 1) ** 2, 12)
    values = np.unique([0.0, *squares])
    folded = n @ (squares[:, None] == values).astype(np.float64)
    mean = mean_interval(n, scores, (1 - _SPREAD_SHARE) * alpha)
    spread = mean_interval(folded, values, _SPREAD_SHARE * alpha)
    low, high = (
        _t(end - 0.5, spread[0] / 4, spread[1] / 4, outwards=side)
        for end, side in zip(mean, (-1, 1), strict=True)
    )
    per_t = NELO_PER_SIGMA / math.sqrt(games_per_unit)
    return low * per_t, high * per_t


def _t(d: Floats, q_low: Floats, q_high: Floats, outwards: int) -> Floats:
    """The least (``outwards`` -1) or greatest (1) t of an edge d and q between these two."""
    variance = np.maximum(np.where(outwards * d > 0, q_low, q_high) - d**2, 0.0)
    root = np.sqrt(np.where(variance > 0, variance, 1))
    return np.asarray(np.where(variance > 0, d / root, np.copysign(np.inf, d)))


def _deviance(n: Floats, scores: Floats, t: Floats) -> Floats:
    """The deviance of counts (r, k) at t >= 0 (r,)."""
    size = n.sum(axis=-1)
    found = np.zeros(t.shape)
    plain = (t < _NONE) & (size > 0)
    found[plain] = deviance_at(n[plain], scores, np.full(np.count_nonzero(plain), 0.5))[0]
    mean, sd = _moments(n, scores)
    for rising in (False, True):
        # Counts that have t itself explain themselves: their deviance is 0.
        excess = mean - 0.5 - t * sd
        chosen = np.flatnonzero(
            (t >= _NONE) & (size > 0) & ((excess > 0) if rising else (excess < 0))
        )
        if not chosen.size:
            continue
        rows, own = n[chosen], t[chosen]
        if rising:
            c, s = _moments(rows, scores)
            # Units all alike have no spread; half of what t allows them is one that counts.
            s = np.where(s > 0, s, np.minimum((c - 0.5) / (2 * own), 0.25))
            found[chosen] = _alternate(rows, scores, own, c, s, rising=True)
        else:
            # The lowest of several minima, one for each score that the units may gather at. When
            # a' is nearly straight over the scores, there is one minimum only.
            found[chosen] = np.inf
            bent = own > 2 * _STRAIGHT * _moments(rows, scores)[1]
            for at in np.flatnonzero(scores > 0.5).tolist():
                tried = bent | (at == scores.size - 1)
                some, of, among = rows[tried], own[tried], chosen[tried]
                c, s = _gathered(some, scores, of, at)
                k = _alternate(some, scores, of, c, s, rising=False)
                found[among] = np.minimum(found[among], k)
    return found


def _alternate(
    n: Floats, scores: Floats, t: Floats, c: Floats, s: Floats, *, rising: bool
) -> Floats:
    """The deviance found from (c, s) onwards; ``rising`` where the counts have more than t."""
    best = np.full(t.shape, -np.inf if rising else np.inf)
    stride = np.ones(t.shape)
    c, s, base_c, base_s = c.copy(), s.copy(), c.copy(), s.copy()
    towards_c, towards_s = np.zeros(t.shape), np.zeros(t.shape)
    x = np.zeros(t.shape)
    going = np.arange(t.size)
    for _ in range(_STEPS):
        k, x[going], own_c, own_s = _half_space(
            n[going], scores, t[going], c[going], s[going], x[going]
        )
        better = (k >= best[going] - 1e-13) if rising else np.ones(going.size, dtype=np.bool_)
        best[going] = np.where(better, np.maximum(k, best[going]) if rising else k, best[going])
        # A step that led astray is halved; one that did not sets the direction anew.
        base_c[going] = np.where(better, c[going], base_c[going])
        base_s[going] = np.where(better, s[going], base_s[going])
        towards_c[going] = np.where(better, own_c - c[going], towards_c[going])
        towards_s[going] = np.where(better, own_s - s[going], towards_s[going])
        stride[going] = np.where(better, np.minimum(2 * stride[going], 1), stride[going] / 2)
        move = stride[going] * np.maximum(np.abs(towards_c[going]), np.abs(towards_s[going]))
        c[going] = base_c[going] + stride[going] * towards_c[going]
        s[going] = base_s[going] + stride[going] * towards_s[going]
        going = going[move > _PRECISION]
        if going.size == 0:
            break
    return best


def _half_space(
    n: Floats, scores: Floats, t: Floats, c: Floats, s: Floats, start: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """The deviance of E a' = 0 for given c and s, with the x, mean and deviation that attain it."""
    offset = scores - c[:, None]
    a = scores - 0.5 - t[:, None] / 2 * (s[:, None] + offset**2 / s[:, None])
    order = np.argsort(a, axis=-1, kind="stable")
    d = np.take_along_axis(a, order, axis=-1)
    k, x = greatest_growth(np.take_along_axis(n, order, axis=-1), d, start)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(n > 0, n / (1 + x[:, None] * a), 0.0) / n.sum(axis=-1, keepdims=True)
    # On the boundary an unseen extreme takes the mass that is left.
    left = np.maximum(1 - p.sum(axis=-1), 0)
    extreme = np.where(x < 0, order[:, -1], order[:, 0])
    np.add.at(p, (np.arange(p.shape[0]), extreme), left)
    return (k, x, *_moments(p, scores))


def _gathered(n: Floats, scores: Floats, t: Floats, at: int) -> tuple[Floats, Floats]:
    """(c, s) of the counts after as many units moved to one score as it takes to have t."""
    low, high = np.zeros(t.shape), np.ones(t.shape)
    for _ in range(_BISECTIONS):
        share = (low + high) / 2
        mean, sd = _moved(n, scores, share, at)
        short = mean - 0.5 < t * sd
        low, high = np.where(short, share, low), np.where(short, high, share)
    return _moved(n, scores, high, at)


def _moved(n: Floats, scores: Floats, share: Floats, at: int) -> tuple[Floats, Floats]:
    mixed = n * (1 - share)[:, None]
    mixed[:, at] += share * n.sum(axis=-1)
    return _moments(mixed, scores)


def _moments(n: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of counts (..., k); 1/2 and 0 without a unit."""
    size = n.sum(axis=-1)
    share = n / np.where(size > 0, size, 1)[..., None]
    mean = np.where(size > 0, share @ scores, 0.5)
    offset = scores - mean[..., None]
    # Exactly 0 for units that are all alike, whatever was rounded in their mean.
    alike = np.count_nonzero(n > 0, axis=-1) <= 1
    return mean, np.where(alike, 0.0, np.sqrt((share * offset**2).sum(axis=-1)))
