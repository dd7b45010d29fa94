"""Everything on this machine: broker, coordinator, workers and dashboards behind one command."""
