const DAY_MS = 86_400_000;

/** When a result that was stored at an instant expires. */
export function expiryOf(storedAt: Date, retentionDays: number): Date {
  return new Date(storedAt.getTime() + retentionDays * DAY_MS);
}
