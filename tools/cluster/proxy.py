"""A slow and unreliable link between workers and a Redis server: every piece of data comes late, and some connections
are reset.

    python3 proxy.py PORT SOCKET DELAY_MS PERCENT

Listens on PORT of this machine, and forwards to the Unix socket.  A piece arrives DELAY_MS later, in either direction; with
a chance of PERCENT it resets its connection instead.  Prints how many connections and resets there were when it is stopped.
"""

import asyncio
import random
import signal
import socket
import struct
import sys

port, path, delay_ms, percent = int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
counts = {"connections": 0, "resets": 0}
draw = random.Random(1)


async def read(reader, waiting):
    """Puts every piece of data into `waiting`, with the time when it is due, until the end of the data or a reset."""
    while data := await reader.read(65536):
        if draw.random() * 100 < percent:
            counts["resets"] += 1
            return
        waiting.put_nowait((asyncio.get_running_loop().time() + delay_ms / 1e3, data))


async def write(waiting, writer):
    while True:
        due, data = await waiting.get()
        await asyncio.sleep(max(0, due - asyncio.get_running_loop().time()))
        writer.write(data)
        await writer.drain()


def abort(writer):
    """Closes a connection with a reset: what is under way is lost."""
    at_once = struct.pack("ii", 1, 0)  # to linger for 0 s
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
    writer.transport.abort()


async def serve(reader, writer):
    counts["connections"] += 1
    near, far = await asyncio.open_unix_connection(path)
    there, back = asyncio.Queue(), asyncio.Queue()
    parts = [read(reader, there), write(there, far), read(near, back), write(back, writer)]
    tasks = [asyncio.ensure_future(part) for part in parts]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    abort(writer)
    far.transport.abort()


async def main():
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    await asyncio.start_server(serve, "127.0.0.1", port)
    await stopped.wait()
    print(f"{counts['connections']} connections, {counts['resets']} of them reset", flush=True)


asyncio.run(main())
