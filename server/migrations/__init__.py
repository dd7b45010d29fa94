"""How the tables came to be, one revision at a time (Alembic)."""
