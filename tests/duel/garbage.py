#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Two hundred connections to a program, none of which is one of another Wuzi.

garbage.py ADDRESS PORT    Prints how many were accepted.
"""

import random
import socket
import sys
import time

OPENING = b"WUZI\x00\x01\x00\x00"


def garbage(number):
    return [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"WUZI\xff\xff\x00\x00",
        OPENING + b"\xff\xff",
        OPENING + b"\x00\x20" + bytes(32) + b"\x00\x00",
        OPENING + b"\x40\x00" + random.randbytes(16384),
        random.randbytes(100_000),
    ][number % 7]


def main():
    address = (sys.argv[1], int(sys.argv[2]))
    accepted, count = [], 0
    for number in range(200):
        try:
            connection = socket.create_connection(address, timeout=5)
            connection.settimeout(0.2)
            accepted.append(connection)
            count += 1
            connection.sendall(garbage(number))
        except OSError:
            pass  # not taken, or ended
        # The newest stay open and silent for a while.
        del accepted[:-20]
        time.sleep(0.02)
    print(count)


main()
