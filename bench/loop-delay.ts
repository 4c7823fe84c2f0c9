import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Loaded into the server process by `--import`: answers each message with the longest delay of its event loop since the last one. */
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
process.on('message', () => {
  process.send?.({ longestMs: delays.max / 1e6 });
  delays.reset();
});
process.channel?.unref();
