from ._play import Play

FEATURES: dict[str, tuple[int, tuple[int, ...]]]

def row_of(play: Play, seat: int, moves: list[str]) -> bytes: ...
