#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""A wire between two devices that holds frames back and loses some, for kernels without netem.

wire.py LEFT RIGHT    Each line of the standard input, such as "100 50 5", is the delay and its
                      variation in milliseconds, and the share of lost frames in percent.
"""

import heapq
import random
import select
import socket
import sys
import time

ALL_FRAMES = 0x0003
PACKET = 263
# Frames go on with the head in which the kernel says what is left to do for their checksum.
PACKET_VNET_HDR = 15
OUTGOING = 4
LONGEST = 1 << 17


def end(device):
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_FRAMES))
    opened.setsockopt(PACKET, PACKET_VNET_HDR, 1)
    opened.bind((device, 0))
    return opened


def main():
    left, right = ends = [end(device) for device in sys.argv[1:3]]
    delay = variation = lost = 0.0
    waiting = []
    number = 0
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, to, frame = heapq.heappop(waiting)
            try:
                to.send(frame)
            except OSError:
                pass  # the device is down
        timeout = waiting[0][0] - now if waiting else None
        for ready in select.select([*ends, sys.stdin], [], [], timeout)[0]:
            if ready is sys.stdin:
                line = sys.stdin.readline()
                if not line:
                    return
                delay, variation, lost = (float(word) for word in line.split())
                continue
            try:
                frame, address = ready.recvfrom(LONGEST)
            except OSError:
                continue  # the device is down
            if address[2] == OUTGOING or random.random() * 100 < lost:
                continue
            due = time.monotonic() + (delay + random.uniform(-variation, variation)) / 1000
            number += 1
            heapq.heappush(waiting, (due, number, left if ready is right else right, frame))


main()
