// The places of the other seats around the table, seen from this page's chair.

/**
 * The other seats by side, clockwise: up the left, across, down the right, so that the next to play sits at the
 * person's left. A spectator, whose `me` is null, sees all seats around the table.
 */
export function around(seats, me) {
  const first = me === null ? 0 : me + 1;
  const others = Array.from({ length: me === null ? seats : seats - 1 }, (_, step) => (first + step) % seats);
  const aside = others.length < 3 ? 0 : Math.min(2, Math.floor(others.length / 3));
  return {
    left: others.slice(0, aside),
    top: others.slice(aside, others.length - aside),
    right: others.slice(others.length - aside),
  };
}
