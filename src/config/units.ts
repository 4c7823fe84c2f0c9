const SIZE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
};

const DURATION_UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a size such as `8GB`, `512 MiB` or `1000` (bytes) as bytes; NaN if it is none. */
export function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(text.trim());
  if (!match) return Number.NaN;
  return Math.round(Number(match[1]) * (SIZE_UNITS[(match[2] ?? '').toUpperCase()] ?? Number.NaN));
}

/**
 * Reads a duration such as `30m`, `1.5h`, `250ms` or `90` (seconds) as milliseconds; NaN if it
 * is none.
 */
export function parseDurationMs(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text.trim());
  if (!match) return Number.NaN;
  return Math.round(Number(match[1]) * (DURATION_UNITS_MS[match[2] || 's'] ?? Number.NaN));
}

/** A size for people: `1.5 GB`. */
export function formatSize(bytes: number): string {
  for (const unit of ['TB', 'GB', 'MB', 'kB'] as const) {
    const factor = SIZE_UNITS[unit.toUpperCase()] ?? 1;
    if (bytes >= factor) return `${Number((bytes / factor).toFixed(1))} ${unit}`;
  }
  return `${bytes} bytes`;
}
