"""What people look at: pages, charts, the board viewer."""
