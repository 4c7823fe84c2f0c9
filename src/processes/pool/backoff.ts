/** How long to wait before the next attempt after `failures` in a row: nothing after none, then doubling up to a bound. */
export function backoffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(100 * 2 ** (failures - 1), 5000);
}
