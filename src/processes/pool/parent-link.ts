/** The child's end of the messages: `Received` from the server, `Sent` to it. */
export interface ParentLink<Sent extends object> {
  send(message: Sent): void;
}

/**
 * Connects a child script with the server that started it. A child whose server is gone kills
 * itself, because nothing else would end a query that runs in it. Only its server ends it
 * otherwise.
 */
export function connectToParent<Sent extends object, Received>(
  onMessage: (message: Received) => void,
): ParentLink<Sent> {
  process.on('message', (message) => onMessage(message as Received));
  // A terminal or a supervisor can signal all processes at once. The server stops its children in
  // order.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
  // process.exit() would wait for threads that run a query.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  return { send: (message) => void process.send?.(message, undefined, undefined, () => {}) };
}
