"""A random generator that a fuzzer decides for."""

from __future__ import annotations

import random


class Choices(random.Random):
    """Its numbers are the bytes of `data`, so that who changes a byte changes a choice.

    Behind their end it goes on as a generator with a seed, which is the first two of them.
    """

    def __new__(cls, data):
        return super().__new__(cls)

    def __init__(self, data):
        super().__init__(0)
        self._rest = random.Random(data[:2])
        self._data = data
        self._place = 2

    @property
    def spent(self):
        """Whether all bytes are used up."""
        return self._place >= len(self._data)

    def getrandbits(self, bits):
        size = (bits + 7) // 8
        start, self._place = self._place, self._place + size
        if self._place > len(self._data):
            return self._rest.getrandbits(bits)
        return int.from_bytes(self._data[start : self._place], "little") & ((1 << bits) - 1)

    def random(self):
        return self.getrandbits(16) / 65536
