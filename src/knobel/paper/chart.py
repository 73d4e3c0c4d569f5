"""Charts as pictures that stand alone."""

WIDTH, HEIGHT, MARGIN, FOOT_HEIGHT = 800, 300, 40, 40
LABEL_STEP = 50
INK, FELT = "#7a2e1d", "#2f5d46"


def draw_bars(shares: list[float], first: int) -> str:
    """Draw one bar for each share, the first of them for the number `first`, with a mark at every fifty."""
    room, floor = WIDTH - 2 * MARGIN, HEIGHT - FOOT_HEIGHT
    step, tallest = room / len(shares), max(shares)
    drawn = []
    for place, share in enumerate(shares):
        tall = (floor - MARGIN / 2) * share / tallest
        left, top = MARGIN + place * step, floor - tall
        drawn.append(f'<rect x="{left:.2f}" y="{top:.2f}" width="{step * 0.9:.2f}" height="{tall:.2f}"/>')
    marks = "".join(
        f'<text x="{MARGIN + (number - first + 0.5) * step:.1f}" y="{floor + 24}">{number}</text>'
        for number in range(-(-first // LABEL_STEP) * LABEL_STEP, first + len(shares), LABEL_STEP)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="serif" font-size="14" '
        f'text-anchor="middle" fill="{INK}"><g fill="{FELT}">{"".join(drawn)}</g>'
        f'<path d="M{MARGIN} {floor}H{WIDTH - MARGIN}" stroke="{INK}"/>{marks}</svg>\n'
    )
