interface Field {
  readonly min: number;
  readonly max: number;
  /** Names of the values, from the least one on. */
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const MINUTE: Field = { min: 0, max: 59 };
const HOUR: Field = { min: 0, max: 23 };
const DAY: Field = { min: 1, max: 31 };
const MONTH: Field = { min: 1, max: 12, names: MONTHS };
/** 7 is Sunday, as 0 is. */
const WEEKDAY: Field = { min: 0, max: 7, names: WEEKDAYS };

const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether a text is a cron line that comes round: minute, hour, day of the month, month and day of the week. Each is `*` or a
 * comma-separated list of values and ranges, `*` and ranges with a step if wanted, such as `0-45/15`; months and days of the week may be
 * named by their first three letters.
 */
export function isCronLine(text: string): boolean {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...others] = text.trim().split(/\s+/);
  const days = expand(day, DAY);
  const months = expand(month, MONTH);
  if (others.length > 0 || !expand(minute, MINUTE) || !expand(hour, HOUR) || !expand(weekday, WEEKDAY)) return false;
  if (!days || !months) return false;
  return months.some((each) => Math.min(...days) <= (LONGEST[each - 1] ?? 0));
}

/** The values that a field stands for; nothing if it is none. */
function expand(text: string, field: Field): number[] | undefined {
  const values: number[] = [];
  for (const item of text.split(',')) {
    const [range = '', step, ...others] = item.split('/');
    const bounds = range === '*' ? field : toBounds(range, field);
    const every = step === undefined ? 1 : toNumber(step);
    if (!bounds || others.length > 0 || !(every >= 1 && every <= field.max)) return undefined;
    if (step !== undefined && range !== '*' && !range.includes('-')) return undefined;
    for (let value = bounds.min; value <= bounds.max; value += every) values.push(value);
  }
  return values;
}

function toBounds(range: string, field: Field): Pick<Field, 'min' | 'max'> | undefined {
  const [first = '', last = first, ...others] = range.split('-');
  const [min, max] = [toValue(first, field), toValue(last, field)];
  const isWithin = min >= field.min && max <= field.max && min <= max;
  return isWithin && others.length === 0 ? { min, max } : undefined;
}

function toValue(text: string, { min, names = [] }: Field): number {
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? toNumber(text) : min + index;
}

function toNumber(text: string): number {
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}
