"""The import contract that import-linter has no contract for: a package against its own parent."""

import grimp


def test_statistics_import_nothing_of_ours() -> None:
    graph = grimp.build_graph("tabia.server", "tabia.engine", "tabia.worker", "tabia.dashboards")
    statistics = {"tabia.server.statistics"} | graph.find_descendants("tabia.server.statistics")
    assert len(statistics) > 1
    of_ours = {
        f"{module} imports {imported}"
        for module in statistics
        for imported in graph.find_modules_directly_imported_by(module) - statistics
    }
    assert of_ours == set()
