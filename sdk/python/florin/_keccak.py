"""Keccak-256 as chains of the EVM use it: Keccak before the padding of SHA-3 was changed, which hashlib alone has."""

from __future__ import annotations

from typing import List

_RATE = 136
_WORD = (1 << 64) - 1


def _round_constants() -> List[int]:
    """They are of a shift register of 8 bits."""
    constants = []
    register = 1
    for _ in range(24):
        constant = 0
        for bit in range(7):
            if register & 1:
                constant |= 1 << ((1 << bit) - 1)
            register <<= 1
            if register & 0x100:
                register ^= 0x171
        constants.append(constant)
    return constants


_CONSTANTS = _round_constants()


def keccak256(data: bytes) -> bytes:
    """The hash of the bytes."""
    padded = bytearray((len(data) // _RATE + 1) * _RATE)
    padded[: len(data)] = data
    padded[len(data)] = 1
    padded[-1] |= 0x80
    state = [0] * 25
    for start in range(0, len(padded), _RATE):
        for at in range(_RATE // 8):
            place = start + 8 * at
            state[at] ^= int.from_bytes(padded[place : place + 8], "little")
        for constant in _CONSTANTS:
            _permute(state, constant)
    return b"".join(word.to_bytes(8, "little") for word in state[:4])


def _turn_left(word: int, by: int) -> int:
    return ((word << by) | (word >> (64 - by))) & _WORD


def _permute(state: List[int], constant: int) -> None:
    columns = [state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20] for x in range(5)]
    for place in range(25):
        x = place % 5
        state[place] ^= columns[x - 1] ^ _turn_left(columns[(x + 1) % 5], 1)
    x, y, moved = 1, 0, state[1]
    for step in range(24):
        x, y = y, (2 * x + 3 * y) % 5
        place = x + 5 * y
        turned = _turn_left(moved, (step + 1) * (step + 2) // 2 % 64)
        moved, state[place] = state[place], turned
    for row in range(0, 25, 5):
        words = state[row : row + 5]
        for each in range(5):
            state[row + each] = words[each] ^ (~words[(each + 1) % 5] & _WORD & words[(each + 2) % 5])
    state[0] ^= constant
