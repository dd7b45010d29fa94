"""The coordinator's end of the broker: batches go out, and what workers say comes in."""
