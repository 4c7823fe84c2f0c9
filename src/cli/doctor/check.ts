import type { Config } from '../../config/config.js';

/** One question that `eider doctor` answers. */
export interface Check {
  readonly name: string;
  /** Returns what is well, or a warning; throws what is wrong. */
  readonly run: (config: Config, options: DoctorOptions) => Promise<string | Warning>;
}

/** What the operator asks `eider doctor` for. */
export interface DoctorOptions {
  /** Whether to mend what a check can mend. */
  readonly repair: boolean;
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
}

/** Runs one check; what it throws is the finding. */
export async function examine({ run }: Check, config: Config, options: DoctorOptions): Promise<Finding> {
  try {
    const found = await run(config, options);
    return typeof found === 'string'
      ? { ok: true, message: found }
      : { ok: true, isWarning: true, message: found.warning };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
