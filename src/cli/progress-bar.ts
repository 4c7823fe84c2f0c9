import { formatSize } from '../config/units.js';

const BAR_WIDTH = 30;

/** How much of a work is done: `[#####.....] 50 % of 1.2 MB`. */
export function progressBar(doneBytes: number, totalBytes: number): string {
  const share = totalBytes === 0 ? 1 : Math.min(1, doneBytes / totalBytes);
  const filled = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)} % of ${formatSize(totalBytes)}`;
}

/** Draws the bar in the place of the one before on the standard error, if that is a terminal. */
export function drawProgress(doneBytes: number, totalBytes: number): void {
  drawLine(progressBar(doneBytes, totalBytes));
}

/** Removes the bar. */
export function clearProgress(): void {
  drawLine('');
}

function drawLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
