import { validate } from 'node-cron';

/**
 * Whether `node-cron` accepts a text as a cron line of five fields: minute, hour, day of the
 * month, month and day of the week. It also supports a sixth field, of seconds, and words such as
 * `@daily`, which are refused here.
 */
export function isCronLine(text: string): boolean {
  return text.trim().split(/\s+/).length === 5 && validate(text);
}
