import { readFile } from 'node:fs/promises';

/** Resident memory of a process; undefined where the system does not tell or the process is gone. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Calls `onExceeded`, once, when a process holds more than `limitBytes` of memory. Stop it by the returned function. */
export function watchMemory(pid: number, limitBytes: number, onExceeded: () => void, intervalMs = 50): () => void {
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    clearInterval(timer);
  };
  const timer = setInterval(async () => {
    const bytes = await residentBytes(pid);
    if (isStopped || bytes === undefined || bytes <= limitBytes) return;
    stop();
    onExceeded();
  }, intervalMs);
  timer.unref();
  return stop;
}
