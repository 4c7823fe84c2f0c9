import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The lowest priority that there is. */
const MAX_NICENESS = 19;

/**
 * Raises the niceness of every thread of a child process except the first, which receives messages.
 * Threads have their own niceness on Linux only; elsewhere nothing happens. Harmless if the process
 * has ended.
 */
export function lowerPriority(pid: number, niceness: number): void {
  const wanted = Math.min(MAX_NICENESS, getPriority() + niceness);
  for (const thread of threadsOf(pid).filter((id) => id !== pid)) {
    try {
      setPriority(thread, wanted);
    } catch {
      // The thread has ended, or its niceness is higher already.
    }
  }
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
