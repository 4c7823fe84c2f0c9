import type { ServerResponse } from 'node:http';
import { unacknowledgedBytes } from './unacknowledged-bytes.js';

/** Checks within the limit whether a client accepts bytes. */
const CHECKS = 4;

/**
 * Resets the connection of an answer once its client has accepted no byte for `idleMs` while there
 * were some for it. A client that accepts bytes has all the time that it needs, and so has an
 * engine that writes none.
 */
export function cutIdleClient(response: ServerResponse, idleMs: number): void {
  const { socket } = response.req;
  let lastAccepted = -1;
  let lastUnacknowledged: number | undefined;
  let idleChecks = 0;

  /** Whether the client has accepted bytes since the last check, or there were none for it. */
  const hasProgressed = async (): Promise<boolean> => {
    const isEverythingTaken = socket.writableLength === 0;
    const accepted = socket.bytesWritten - socket.writableLength;
    const hasMoved = accepted !== lastAccepted;
    lastAccepted = accepted;
    // The system is only asked about a connection that seems to stand still.
    const unacknowledged = hasMoved || isEverythingTaken ? undefined : await unacknowledgedBytes(socket);
    const isAcknowledging = unacknowledged !== undefined && unacknowledged !== lastUnacknowledged;
    lastUnacknowledged = unacknowledged;
    return isEverythingTaken || hasMoved || isAcknowledging;
  };

  const check = async () => {
    idleChecks = (await hasProgressed()) ? 0 : idleChecks + 1;
    if (response.closed) return;
    // A plain end would look like the end of the text to a client of HTTP/1.0.
    if (idleChecks >= CHECKS) socket.resetAndDestroy();
    else timer.refresh();
  };

  const timer = setTimeout(() => void check(), idleMs / CHECKS).unref();
  response.once('close', () => clearTimeout(timer));
}
