import { readFileSync } from 'node:fs';

/**
 * Resident memory of a process; undefined where the system does not tell or the process is gone. It waits for no disk, so that the calling thread
 * reads it itself: to let another do it takes three times as much of the processors.
 */
export function residentBytes(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Calls `onExceeded`, once, when a process holds more than `limitBytes` of memory. Stop it by the returned function. */
export function watchMemory(pid: number, limitBytes: number, onExceeded: () => void, intervalMs = 50): () => void {
  const timer = setInterval(() => {
    const bytes = residentBytes(pid);
    if (bytes === undefined || bytes <= limitBytes) return;
    clearInterval(timer);
    onExceeded();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
