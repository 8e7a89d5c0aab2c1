"""`python -I -S client.py SOCKET TOOL ARGUMENT...`: what `TOOL ARGUMENT...` would do, done by `server.py`.

A tool that dies without an exit status, say of a signal, is reported as 134, as a shell reports an abort.
"""

import json
import os
import socket
import sys


def main(path: str, tool: str, arguments: list[str]) -> int:
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(path)
        request = json.dumps([tool, arguments, os.getcwd(), dict(os.environ)]).encode() + b"\0"
        sent = socket.send_fds(server, [request], [0, 1, 2])
        server.sendall(request[sent:])
        status = server.recv(1)
    return status[0] if status else 134


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
