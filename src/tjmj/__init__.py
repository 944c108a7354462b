"""Tianjin mahjong 天津麻将, exact and fast."""

__version__ = "0.1.0"
