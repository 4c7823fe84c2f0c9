/** Why the server could not go on with a run, for the log. What the system says of files holds their paths, so that only its code is told. */
export function lossReason(error: unknown): string {
  const { code, syscall } = Object(error) as NodeJS.ErrnoException;
  return code === undefined ? String(error) : `${syscall ?? 'a call'} failed with ${code}`;
}
