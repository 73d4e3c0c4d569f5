"""A terminal as patient with a busy server as a test: python -m tests.support.patient_terminal join LINK."""

import sys

from knobel.cli import main
from knobel.client import requests, room_socket
from tests.support.waiting import HANG_SECONDS

if __name__ == "__main__":
    requests.SECONDS = HANG_SECONDS
    room_socket.ANSWER_SECONDS = room_socket.OPEN_SECONDS = HANG_SECONDS
    sys.exit(main(sys.argv[1:]))
