"""A file's bytes in, the same bytes with some damage out: bits flipped, lengths changed, pieces cut, copied or moved."""

from random import Random

# Where readers take a length or an offset from a file, these values ask for too much, for nothing, or for less than that.
_EXTREMES = (
    0,
    1,
    -1,
    127,
    128,
    255,
    256,
    2**15,
    2**16 - 1,
    2**31 - 1,
    -(2**31),
    2**32 - 1,
    2**40,
    2**62,
    2**63 - 1,
    -(2**63),
)


def mutate(data: bytes, random: Random) -> bytes:
    """The data with one to three changes, each at the head, in the middle or at the end."""
    content = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        random.choice(_CHANGES)(content, random)
    return bytes(content)


def _place(content: bytearray, random: Random) -> int:
    """A place in the content: headers and footers hold the lengths, so they are chosen as often as all the rest."""
    size = len(content)
    if not size:
        return 0
    region = random.choice(("anywhere", "head", "foot", "end"))
    first, last = {
        "anywhere": (0, size),
        "head": (0, min(size, 96)),
        "foot": (size - max(size // 4, min(size, 700)), size),
        "end": (size - min(size, 12), size),
    }[region]
    return random.randrange(first, last)


def _flip_bit(content: bytearray, random: Random) -> None:
    if content:
        content[_place(content, random)] ^= 1 << random.randrange(8)


def _set_byte(content: bytearray, random: Random) -> None:
    if content:
        content[_place(content, random)] = random.choice((0, 1, 127, 128, 254, 255, random.randrange(256)))


def _nudge_byte(content: bytearray, random: Random) -> None:
    """A length or a type that is off by a little."""
    if content:
        place = _place(content, random)
        content[place] = (content[place] + random.choice((-2, -1, 1, 2))) % 256


def _set_integer(content: bytearray, random: Random) -> None:
    """A length of 2, 4 or 8 bytes that is absurd, or about the size of the file."""
    width = random.choice((2, 4, 4, 8, 8))
    value = random.choice((*_EXTREMES, len(content), len(content) + 1, len(content) * 8, len(content) // 2))
    place = _place(content, random)
    content[place : place + width] = (value % (1 << 8 * width)).to_bytes(width, "little")


def _set_varint(content: bytearray, random: Random) -> None:
    """A length as Parquet writes it: 7 bits in a byte."""
    value, place, digits = abs(random.choice(_EXTREMES)), _place(content, random), bytearray()
    while value > 127:
        digits.append(value % 128 + 128)
        value //= 128
    digits.append(value)
    keeps_length = random.random() < 0.5
    content[place : place + (len(digits) if keeps_length else 1)] = digits


def _cut_end(content: bytearray, random: Random) -> None:
    del content[_place(content, random) :]


def _cut_piece(content: bytearray, random: Random) -> None:
    place = _place(content, random)
    del content[place : place + _length(content, random)]


def _repeat_piece(content: bytearray, random: Random) -> None:
    place = _place(content, random)
    content[place:place] = content[place : place + _length(content, random)]


def _insert_noise(content: bytearray, random: Random) -> None:
    place = _place(content, random)
    content[place:place] = random.randbytes(_length(content, random))


def _overwrite_piece(content: bytearray, random: Random) -> None:
    """Zeros, ones, noise or another piece of the file in place of a piece."""
    place, length, other = _place(content, random), _length(content, random), _place(content, random)
    length = len(content[place : place + length])
    pieces = (bytes(length), b"\xff" * length, random.randbytes(length), bytes(content[other : other + length]))
    content[place : place + length] = random.choice(pieces)


def _length(content: bytearray, random: Random) -> int:
    return random.choice((1, 2, 4, 8, 16, random.randint(1, max(len(content) // 4, 1))))


_CHANGES = (
    _flip_bit,
    _flip_bit,
    _set_byte,
    _set_byte,
    _nudge_byte,
    _nudge_byte,
    _set_integer,
    _set_integer,
    _set_varint,
    _cut_end,
    _cut_piece,
    _repeat_piece,
    _insert_noise,
    _overwrite_piece,
)
