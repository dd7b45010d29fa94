"""Who plays: the Celery app of a trusted cluster, and the HTTPS client of volunteers."""
