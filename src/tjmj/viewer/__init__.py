"""Records as a page that plays them: one HTML file that needs nothing else."""

from .pages import page

__all__ = ["page"]
