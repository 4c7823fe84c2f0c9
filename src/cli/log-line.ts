/** Level of the lines in the log that report what went as it should, as pino writes it. */
const INFO = 30;

/** Writes a line of the log, whatever `LOG_LEVEL` is. */
export function logLine(message: string, fields: object): void {
  console.log(JSON.stringify({ level: INFO, time: new Date().toISOString(), ...fields, message }));
}
