/**
 * Collects what is written to standard output until `stop` is called. Begin before the server
 * starts: its logger takes a replaced output as it is.
 */
export function collectOutput(): { text: () => string; stop: () => void } {
  const write = process.stdout.write;
  let text = '';
  process.stdout.write = ((chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  }) as typeof process.stdout.write;
  return {
    text: () => text,
    stop: () => {
      process.stdout.write = write;
    },
  };
}
