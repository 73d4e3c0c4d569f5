"""Addresses as pictures that a phone can scan."""

from io import BytesIO

import segno


def draw_qr_picture(url: str) -> bytes:
    """Draw an address as a picture; that takes long enough to be done beside the event loop."""
    picture = BytesIO()
    segno.make(url, error="m").save(picture, kind="svg", scale=4, border=2, light="#fff")
    return picture.getvalue()


def embed_qr_picture(url: str) -> str:
    """Write such a picture into an address of its own, so that what it says is kept nowhere."""
    return str(segno.make(url, error="m").svg_data_uri(scale=4, border=2, light="#fff"))
