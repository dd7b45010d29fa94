"""From counts to what they say, and from a question to what it costs; the same words everywhere.

``tabia stats …`` and the page ``/calculator`` ask the same forms (:data:`.forms.FORMS`) and show
the same answers. Everything here is pure: texts in, an :class:`.answers.Answer` or a DocumentError
out.
"""
