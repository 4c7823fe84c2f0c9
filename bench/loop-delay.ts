import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What the event loop of the server has been like since the last question. */
export interface LoopDelay {
  /**
   * Longest delay of the loop: work of its thread, and waiting for a processor that others have.
   */
  readonly longestMs: number;
  /** Most processor time that its thread has taken from one turn of a timer to the next. */
  readonly busiestMs: number;
}

const RESOLUTION_MS = 5;

/** Loaded into the server process by `--import`: answers each message. */
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
let busiestMs = 0;
let workedMs = workedSoFarMs();
setInterval(() => {
  const before = workedMs;
  workedMs = workedSoFarMs();
  busiestMs = Math.max(busiestMs, workedMs - before);
}, RESOLUTION_MS).unref();
process.on('message', () => {
  process.send?.({ longestMs: delays.max / 1e6, busiestMs } satisfies LoopDelay);
  delays.reset();
  busiestMs = 0;
});
process.channel?.unref();

/** Processor time that the thread of the loop has taken so far. */
function workedSoFarMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
