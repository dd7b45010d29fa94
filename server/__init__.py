"""The coordinator: API, scheduler, store, intake of results and the decision."""
