"""Harmless data in the encodings that people paste: digests, tokens, keys, dumps, and text put into base64 or rot13."""

import base64
import codecs
import hashlib
import json
import textwrap
import urllib.parse
import uuid

MORSE = dict(zip("abcdefghijklmnopqrstuvwxyz", ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..".split()))


def base64_of(data) -> str:
    return base64.b64encode(data if isinstance(data, bytes) else data.encode()).decode()


def token(rng) -> str:
    """A signed JSON web token; the signature is noise."""
    part = lambda value: base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).decode().rstrip("=")
    claims = {"sub": str(rng.randint(1, 10**9)), "iat": rng.randint(1_500_000_000, 1_900_000_000), "role": rng.choice(("user", "admin", "guest", "editor"))}
    if rng.random() < 0.5:
        claims |= {"iss": rng.choice(("auth", "idp", "login")) + ".example.com", "exp": rng.randint(1_500_000_000, 1_900_000_000)}
    signature = base64.urlsafe_b64encode(rng.randbytes(32)).decode().rstrip("=")
    return ".".join((part({"alg": rng.choice(("HS256", "RS256")), "typ": "JWT"}), part(claims), signature))


def dump(data: bytes) -> str:
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        lines.append(f"{at:08x}  {row.hex(' ')}  |{''.join(chr(b) if 32 <= b < 127 else '.' for b in row)}|")
    return "\n".join(lines)


def of_text(text: str, rng) -> str:
    """`text` in an encoding that can be undone."""
    kind = rng.randrange(9)
    if kind < 3:
        return base64_of(text)
    if kind == 3:
        return codecs.encode(text, "rot13")
    if kind == 4:
        return urllib.parse.quote(text)
    if kind == 5:
        return text.encode().hex(rng.choice((" ", ":")))
    if kind == 6:
        return " ".join(f"{b:08b}" for b in text.encode()[:24])
    if kind == 7:
        return " / ".join(" ".join(MORSE.get(c, "") for c in word).strip() for word in text.lower()[:60].split())
    return dump(text.encode())


def of_noise(rng) -> str:
    """Data that nobody reads as text."""
    noise = rng.randbytes
    kind = rng.randrange(9)
    if kind < 2:
        return token(rng)
    if kind == 2:
        hashes = [hashlib.new(rng.choice(("sha256", "sha1", "md5")), noise(8)).hexdigest() for _ in range(rng.choice((1, 1, 3)))]
        return "\n".join(h + rng.choice(("", "  file.tar.gz", "  README")) for h in hashes)
    if kind == 3:
        name = rng.choice(("CERTIFICATE", "PUBLIC KEY", "CERTIFICATE REQUEST"))
        return f"-----BEGIN {name}-----\n" + "\n".join(textwrap.wrap(base64_of(noise(rng.randint(90, 400))), 64)) + f"\n-----END {name}-----"
    if kind == 4:
        return "ssh-ed25519 " + base64_of(b"\0\0\0\x0bssh-ed25519\0\0\0 " + noise(32)) + rng.choice(("", " me@laptop", " deploy"))
    if kind == 5:
        return "\n".join(str(uuid.UUID(bytes=noise(16))) for _ in range(rng.choice((1, 2, 5))))
    if kind == 6:
        return f"data:image/{rng.choice(('png', 'gif', 'webp'))};base64," + base64_of(noise(rng.randint(40, 300)))
    if kind == 7:
        return "\n".join(f'"integrity": "sha512-{base64_of(noise(64))}",' for _ in range(rng.choice((1, 2, 4))))
    return f"Cookie: session={noise(16).hex()}; _ga=GA1.2.{rng.randint(1, 10**9)}.{rng.randint(1, 10**9)}; csrf={base64_of(noise(24))}"
