"""A device without a browser at a room of a server: the same wire, the same seats, the same fair dice; no screen."""

from knobel.client.address import RoomAddress, parse_address
from knobel.client.device_file import DeviceFile
from knobel.client.fair_check import FairCheck
from knobel.client.remote_room import RemoteRoom

__all__ = ["DeviceFile", "FairCheck", "RemoteRoom", "RoomAddress", "parse_address"]
