FEATURES: dict[str, tuple[int, tuple[int, ...]]]
