import type { Command } from 'commander';
import { readConfig } from '../config/read-settings.js';
import { type DoctorOptions, examineAll, type Finding } from './doctor/check.js';
import { checkEngine } from './doctor/check-engine.js';
import { examineData } from './doctor/data-checks.js';
import { MACHINE_CHECKS } from './doctor/machine-checks.js';

/** `eider doctor`: reports what the service would run with, and what prevents it. */
export function defineDoctorCommand(command: Command): void {
  command
    .option('--repair', 'mend what can be mended without losing anything, and report what was done', false)
    .option('--deep', 'let the engine read every value of every stored file, too', false)
    .option('--json', 'print JSON', false)
    .action(async ({ json, ...options }: DoctorOptions & { json: boolean }) => {
      const config = readConfig();
      const found = [
        ...(await examineAll(MACHINE_CHECKS, config, options)),
        ...(await examineData(config, options)),
        ...(await examineAll([{ name: 'engine', run: checkEngine }], config, options)),
      ];
      const findings = found.map(([name, finding]) => ({ name, ...finding }));
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
