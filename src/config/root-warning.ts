/** What an operator should know whose service runs as root; nothing if it does not. */
export function rootWarning(userId = process.getuid?.()): string | undefined {
  if (userId !== 0) return undefined;
  return 'Eider is running as root. Untrusted SQL then runs as root too, and file permissions do not protect stored results. Run it as a dedicated user.';
}
