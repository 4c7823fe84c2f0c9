import type { Config } from '../../config/config.js';

/** One question that `eider doctor` answers. */
export interface Check {
  /** Scripts read it: it never changes. */
  readonly name: string;
  /** Returns what is well or was mended, or a warning; throws what is wrong. */
  readonly run: (config: Config, options: DoctorOptions) => Promise<string | Warning>;
}

/** What the operator asks `eider doctor` for. */
export interface DoctorOptions {
  /** Whether to mend what a check can mend. */
  readonly repair: boolean;
  /** Whether the engine reads every stored file. */
  readonly deep: boolean;
}

/** Something that works, and that the operator should change. */
export interface Warning {
  readonly warning: string;
}

/** The answer of one check. */
export interface Finding {
  readonly ok: boolean;
  /** Only of what works. */
  readonly isWarning?: true;
  readonly message: string;
  /** All that the message sums up; only of what does not work. */
  readonly problems?: readonly string[];
}

/** Names that a message lists before it counts the others. */
const MAX_NAMED = 5;

/** Several things are wrong; the message names the first ones. */
export class ProblemsError extends Error {
  constructor(readonly problems: readonly string[]) {
    const rest = problems.length - MAX_NAMED;
    const more = rest > 0 ? [`and ${rest} more`] : [];
    super(`${countOf(problems.length, 'problem')}: ${[...problems.slice(0, MAX_NAMED), ...more].join('; ')}`);
  }
}

/** Runs checks; returns their findings by their names. */
export async function examineAll(
  checks: readonly Check[],
  config: Config,
  options: DoctorOptions,
): Promise<Map<string, Finding>> {
  const findings = new Map<string, Finding>();
  for (const check of checks) findings.set(check.name, await examine(check, config, options));
  return findings;
}

/** Runs one check; what it throws is the finding. */
async function examine({ run }: Check, config: Config, options: DoctorOptions): Promise<Finding> {
  try {
    const found = await run(config, options);
    return typeof found === 'string'
      ? { ok: true, message: found }
      : { ok: true, isWarning: true, message: found.warning };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, message, ...(error instanceof ProblemsError && { problems: error.problems }) };
  }
}

/** A number and a noun: `1 part`, `2 parts`. */
export function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
