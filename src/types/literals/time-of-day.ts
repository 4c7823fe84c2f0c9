/** Nanoseconds in the units of time. */
export const NANOSECONDS = {
  microsecond: 1000n,
  second: 1_000_000_000n,
  minute: 60_000_000_000n,
  hour: 3_600_000_000_000n,
  day: 86_400_000_000_000n,
} as const;

const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/;
const OFFSET = /^([+-])(\d{2})(?::?(\d{2}))?$/;

/** Nanoseconds since midnight of `HH:MM[:SS[.fffffffff]]`; nothing for any other text. */
export function parseTimeOfDay(text: string): bigint | undefined {
  const [matched, hours = '', minutes = '', seconds = '0', fraction = ''] = TIME.exec(text) ?? [];
  if (matched === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const { hour, minute, second } = NANOSECONDS;
  const wholeSeconds = BigInt(hours) * hour + BigInt(minutes) * minute + BigInt(seconds) * second;
  return wholeSeconds + BigInt(fraction.padEnd(9, '0'));
}

/** Nanoseconds that `Z`, `UTC`, `+HH`, `+HHMM` or `+HH:MM` is ahead of UTC; else nothing. */
export function parseOffset(text: string): bigint | undefined {
  if (/^(?:Z|UTC)$/i.test(text)) return 0n;
  const [matched, sign, hours = '', minutes = '0'] = OFFSET.exec(text) ?? [];
  if (matched === undefined || Number(hours) > 15 || Number(minutes) > 59) return undefined;
  const offset = BigInt(hours) * NANOSECONDS.hour + BigInt(minutes) * NANOSECONDS.minute;
  return sign === '-' ? -offset : offset;
}

/** `HH:MM:SS` with a fraction of that many digits; what is finer is cut off. */
export function formatTimeOfDay(nanoseconds: bigint, fractionDigits: number): string {
  const seconds = nanoseconds / NANOSECONDS.second;
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => String(part).padStart(2, '0'));
  const fraction = String(nanoseconds % NANOSECONDS.second)
    .padStart(9, '0')
    .slice(0, fractionDigits);
  return `${clock.join(':')}.${fraction}`;
}
