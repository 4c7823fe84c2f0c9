import type { Command } from 'commander';
import { readConfig } from '../config/read-settings.js';
import { type Check, type DoctorOptions, examine, type Finding } from './doctor/check.js';
import { checkEngine } from './doctor/check-engine.js';
import { DATA_CHECKS } from './doctor/data-checks.js';
import { MACHINE_CHECKS } from './doctor/machine-checks.js';

const CHECKS: readonly Check[] = [...MACHINE_CHECKS, ...DATA_CHECKS, { name: 'engine', run: checkEngine }];

/** `eider doctor`: reports what the service would run with, and what prevents it. */
export function defineDoctorCommand(command: Command): void {
  command
    .option('--repair', 'mend what can be mended without losing anything, and report what was done', false)
    .option('--deep', 'let the engine read every value of every stored file, too', false)
    .option('--json', 'print JSON', false)
    .action(async ({ json, ...options }: DoctorOptions & { json: boolean }) => {
      const config = readConfig();
      const findings = [];
      for (const check of CHECKS) findings.push({ name: check.name, ...(await examine(check, config, options)) });
      console.log(
        json
          ? JSON.stringify(findings)
          : findings.map(({ name, ...finding }) => `${wordFor(finding)}  ${name}: ${finding.message}`).join('\n'),
      );
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    });
}

function wordFor({ ok, isWarning }: Finding): string {
  if (!ok) return 'FAIL';
  return isWarning ? 'warn' : 'ok  ';
}
