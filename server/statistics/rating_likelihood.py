"""The log-likelihood of ratings, its slope and curvature, and where it is greatest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .draw_models import LOGISTIC, DrawModel, Terms
from .edge_form import EdgeForm, Ints, conjugate_gradients, difference_sums
from .game_results import Clusters, Edges, PairClusters
from .gsprt import Floats

_ITERATIONS = 200
_BEYOND = 30.0  # nats, 5200 Elo: an estimate that has come so far is on its way to infinity
_ROUNDING = 1e-12
_SETTLED = 1e-16  # the square of what is missing, in standard errors


class RatingError(ValueError):
    """Why there are no ratings."""


class NoFiniteRatingError(RatingError):
    """The likelihood has no maximum: some number wants to be infinite, or anything at all."""


@dataclass(frozen=True)
class Likelihood:
    """The log-likelihood of (theta (players,), h if fitted, z if the model has draws)."""

    edges: Edges
    players: int
    model: DrawModel
    fits_advantage: bool
    fits_draws: bool

    @classmethod
    def of(cls, edges: Edges, players: int, model: DrawModel, *, advantage: bool) -> Likelihood:
        """NoFiniteRatingError when the model has draws and there is nothing else."""
        by_outcome = edges.counts.sum(axis=0)
        if by_outcome.sum() == 0 or not model.has_draw_parameter:
            return cls(edges, players, LOGISTIC, advantage, False)
        if by_outcome[0] + by_outcome[2] == 0:
            raise NoFiniteRatingError(
                f"every game was drawn: the draw parameter of model {model.name} is infinite"
            )
        # Without a draw either model says what the logistic one says.
        some = bool(by_outcome[1] > 0)
        return cls(edges, players, model if some else LOGISTIC, advantage, some)

    def x(self, at: Floats) -> Floats:
        """ln(10) / 400 times the expected lead of White, for every row of games."""
        lead = at[self.edges.white] - at[self.edges.black]
        return lead + at[self.players] if self.fits_advantage else lead

    def terms(self, at: Floats) -> Terms:
        return self.model.terms(self.x(at), float(at[-1]))

    def value(self, terms: Terms) -> float:
        return float(np.vdot(self.edges.counts, terms.log))

    def slope(self, terms: Terms) -> Floats:
        counts = self.edges.counts
        flow = np.einsum("eo,eo->e", counts, terms.slope)
        ratings = difference_sums(self.edges.white, self.edges.black, flow, self.players)
        shared = self._shared(float(flow.sum()), float(np.vdot(counts, terms.slope_draw)))
        # What rounding leaves in the direction that changes no difference is none of the slope.
        return np.concatenate([ratings - ratings.mean(), shared])

    def information(self, terms: Terms) -> EdgeForm:
        """Minus the second derivatives."""
        weight, mixed, draw = (
            np.einsum("eo,eo->e", self.edges.counts, bend)
            for bend in (terms.bend, terms.bend_mixed, terms.bend_draw)
        )
        return self._form(
            self.edges.white, self.edges.black, weight, (weight, mixed), (weight, mixed, draw)
        )

    def spread(self, cluster: Clusters, terms: Terms) -> EdgeForm:
        """The sum of the outer products of the clusters' slopes, ``terms`` being their games'."""
        counts, lead, h, z = cluster.slopes(terms)

        def moment(one: Floats, other: Floats) -> Floats:
            return np.asarray(np.einsum("ec,ec,ec->e", counts, one, other))

        first, second = cluster[:2] if isinstance(cluster, PairClusters) else cluster.edges[:2]
        return self._form(
            first,
            second,
            moment(lead, lead),
            (moment(lead, h), moment(lead, z)),
            (moment(h, h), moment(h, z), moment(z, z)),
        )

    def maximum(self) -> tuple[Floats, Terms]:
        """Where the likelihood is greatest, by Newton's method; a step that loses is halved."""
        at = np.zeros(self.players + self.fits_advantage + self.fits_draws)
        if self.fits_draws:
            by_outcome = self.edges.counts.sum(axis=0)
            at[-1] = self.model.starting(float(by_outcome[1] / by_outcome.sum()))
        terms = self.terms(at)
        value = self.value(terms)
        steepest = 0.0
        for _ in range(_ITERATIONS):
            slope = self.slope(terms)
            size = float(np.abs(slope).max())
            if size == 0:
                return at, terms
            steepest = max(steepest, size)
            # The nearer, the more exactly the step is solved for, so that the last are quadratic.
            tolerance = min(0.01, max(size / steepest, 1e-10))
            form = self.information(terms)
            step = conjugate_gradients(form.apply, form.diagonal(), slope, tolerance)
            while self.fits_draws and at[-1] + step[-1] <= self.model.least:
                step = step / 2
            missing = float(slope @ step)
            while True:
                terms = self.terms(at + step)
                following = self.value(terms)
                if missing <= _SETTLED or following >= value - _ROUNDING * abs(value):
                    break
                step = step / 2
            at, value = at + step, following
            if missing <= _SETTLED:
                return at, terms
            if np.abs(self.x(at)).max() > _BEYOND:
                break
        raise NoFiniteRatingError(
            "the results leave a rating, the first-move advantage or the draw rate without a "
            "finite estimate (as when White wins every game); virtual draws may give it one"
        )

    def _shared(self, h: float, z: float) -> Floats:
        return np.array([h] * self.fits_advantage + [z] * self.fits_draws)

    def _form(
        self,
        first: Ints,
        second: Ints,
        weight: Floats,
        cross: tuple[Floats, Floats],
        inner: tuple[Floats, Floats, Floats],
    ) -> EdgeForm:
        """``cross``: with h and z; ``inner``: of h and h, h and z, z and z."""
        kept = [i for i, fits in enumerate((self.fits_advantage, self.fits_draws)) if fits]
        hh, hz, zz = (float(part.sum()) for part in inner)
        return EdgeForm(
            self.players,
            first,
            second,
            weight,
            np.stack(cross, axis=1)[:, kept],
            np.array([[hh, hz], [hz, zz]])[np.ix_(kept, kept)],
        )
