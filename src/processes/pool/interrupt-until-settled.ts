const INTERVAL_MS = 20;

/** Kills the process of a statement that has not settled after some time. */
interface LastResort {
  readonly afterMs: number;
  readonly kill: () => void;
}

/**
 * Interrupts a statement until it has settled: an interrupt before it begins is lost. The result
 * settles with the statement and never rejects.
 */
export async function interruptUntilSettled(
  statement: Promise<unknown>,
  interrupt: () => void,
  { afterMs, kill }: LastResort,
): Promise<void> {
  interrupt();
  const repeat = setInterval(interrupt, INTERVAL_MS);
  const giveUp = setTimeout(kill, afterMs);
  await Promise.allSettled([statement]);
  clearInterval(repeat);
  clearTimeout(giveUp);
}
