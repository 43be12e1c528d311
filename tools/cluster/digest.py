"""Prints one hash over the learner, the best network and the sorted records of a run.

    python3 digest.py RUN [WORKERS]

With WORKERS, prints an error on stderr if fewer workers played, or if one played less than a tenth of its fair share.
"""

import glob
import hashlib
import sqlite3
import struct
import sys

run, workers = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0


def frames(path):
    """The frames of a file of records (src/train/record.h), without the head, which names the game."""
    data = open(path, "rb").read()
    at = 8
    while at + 20 <= len(data):
        _, packed, _, _ = struct.unpack_from("<IIIQ", data, at)
        yield data[at : at + 20 + packed]
        at += 20 + packed


digest = hashlib.sha256()
for name in ("learner.safetensors", "best.safetensors"):
    digest.update(open(f"{run}/{name}", "rb").read())
for path in sorted(glob.glob(f"{run}/records/*.rec")):
    for frame in sorted(frames(path)):
        digest.update(frame)
print(digest.hexdigest()[:16])

if workers:
    shares = sqlite3.connect(f"{run}/run.db").execute("SELECT worker, count(*) FROM games GROUP BY worker").fetchall()
    games = sum(count for _, count in shares)
    if len(shares) != workers or min(count for _, count in shares) < games / workers / 10:
        print(f"{run}: unfair shares {shares}", file=sys.stderr)
        sys.exit(1)
