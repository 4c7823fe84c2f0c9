import type { Child } from './child.js';
import { ChildNotReadyError } from './child-not-ready.js';

/**
 * Waits for the child's first message, by which it says that it is ready. A child that is not ready in time is killed.
 *
 * @throws ChildNotReadyError
 */
export async function untilReady(child: Child<object, unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stopListening = () => {};
  const ready = new Promise<'ready'>((resolve) => {
    stopListening = child.onMessage(() => resolve('ready'));
  });
  const silent = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  const first = await Promise.race([ready, silent, child.exited]);
  clearTimeout(timer);
  stopListening();
  if (first === 'ready') return;
  child.kill();
  throw new ChildNotReadyError(first);
}
