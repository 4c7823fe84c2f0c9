/** What an operator should know whose service runs as root; nothing if it does not. */
export function rootWarning(userId = process.getuid?.()): string | undefined {
  if (userId !== 0) return undefined;
  return 'The service runs as root, and so do the processes that run untrusted SQL, which read-only files do not hold then: run it as a user of its own';
}
