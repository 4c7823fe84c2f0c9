const DATETIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?))?)?$/;

/** Whether a text is a date, or a date and a time of day, that exists. */
export function isDatetime(text: string): boolean {
  const [, year, month, day, hour = 0, minute = 0, second = 0] = (DATETIME.exec(text) ?? []).map((part) =>
    Number(part || 0),
  );
  if (year === undefined || month === undefined || day === undefined) return false;
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth && hour <= 23 && minute <= 59 && second <= 59;
}

/**
 * A datetime as clients parse it: `YYYY-MM-DD HH:MM:SS`, in UTC, without the fraction of a second.
 * What is no datetime, or has no year of four digits in UTC, stays as it is.
 */
export function toDatetimeText(text: string): string {
  return toUtc(text)?.seconds ?? text;
}

/** A text that is the same for datetimes that mean the same instant, whatever their notation. */
export function toInstantKey(text: string): string {
  const utc = toUtc(text);
  return utc ? `${utc.seconds}.${utc.fraction}` : text;
}

function toUtc(text: string): { seconds: string; fraction: string } | undefined {
  const parts = isDatetime(text.trim()) ? DATETIME.exec(text.trim()) : null;
  if (!parts) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = parts;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${toIsoZone(zone)}`);
  const iso = Number.isNaN(at.getTime()) ? '' : at.toISOString();
  if (!/^\d{4}-/.test(iso)) return undefined;
  return { seconds: iso.slice(0, 19).replace('T', ' '), fraction: fraction.replace(/0+$/, '') };
}

function toIsoZone(zone: string): string {
  if (zone === 'UTC' || zone === 'Z') return 'Z';
  const digits = zone.slice(1).replace(':', '');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2) || '00'}`;
}
