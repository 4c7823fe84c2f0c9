/**
 * How long to wait before the next attempt after `failures` in a row: not at all after none, then
 * twice as long each time, up to 5 seconds.
 */
export function backoffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(100 * 2 ** (failures - 1), 5000);
}
