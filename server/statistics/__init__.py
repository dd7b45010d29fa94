"""Statistics on counts: sequential tests and intervals that stay valid while they are watched.

Pure functions; nothing here knows a game, an experiment or a database, and nothing of Tabia is
imported. Arrays are NumPy arrays of float64; the last axis of ``counts`` runs over the outcomes,
the axes before it over independent experiments, so that a page of experiments or a simulation of
thousands is one call.

Two players, or two arms of one measure

- ``elo``: scores and Elo, normalized Elo, and what a fixed number of units says
- ``sprt``: Wald's bounds, and what a test costs
- ``gsprt``: the exact log-likelihood ratio of a mean
- ``normalized``: the same of normalized Elo
- ``two_arm``: the same for a difference of two independent means
- ``overshoot``: how far a path jumps over its bounds
- ``sequential``: one of two hypotheses
- ``sobel_wald``: higher, lower, or no difference that matters: two tests on one path
- ``brownian``: how likely a worse outcome of a sequential test was
- ``after_stopping``: an honest estimate after a test of two hypotheses
- ``planning``: what a test will cost

What may be watched

- ``confidence``: confidence sequences, e-values and p-values by betting
- ``e_values``: two more bets in closed form, beta-binomial and universal portfolio
- ``asymptotic``: intervals for numbers without bounds
- ``multiplicity``: many questions at once

Many players, many men, many strengths

- ``ratings``: a rating list from games or game pairs, one fit a pool; with ``game_results`` (what
  it is given), ``draw_models`` (one game), ``rating_likelihood``, ``edge_form`` (large systems),
  ``sandwich`` (their errors), ``inverse_information`` and ``symmetric_inverse`` (what those are
  made of) and ``pools`` (who can be compared)
- ``piece_values``: values in pawns from matches of unequal armies
- ``design``: which of these matches to play, and how far so many games reach
- ``trend``: an effect over node budgets
- ``diversity``: how many different things there are, from counts
"""
