import type { Command } from 'commander';
import { loadConfig } from '../config/load-config.js';
import { type Check, type DoctorOptions, examine, type Finding } from './doctor/check.js';
import { checkCatalog } from './doctor/check-catalog.js';
import { checkEngine } from './doctor/check-engine.js';
import { FOLDER_CHECKS } from './doctor/check-folder.js';
import { STORED_FILE_CHECKS } from './doctor/check-stored-files.js';
import { MACHINE_CHECKS } from './doctor/machine-checks.js';

const CHECKS: readonly Check[] = [
  ...MACHINE_CHECKS,
  ...FOLDER_CHECKS,
  { name: 'catalog', run: checkCatalog },
  ...STORED_FILE_CHECKS,
  { name: 'engine', run: checkEngine },
];

/** `eider doctor`: says what the service would run with, and what stands in its way. */
export function registerDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, data folder, catalog, stored files and memory')
    .option('--repair', 'close the data folder to other users of the machine', false)
    .option('--json', 'print JSON', false)
    .action(async ({ json, ...options }: DoctorOptions & { json: boolean }) => {
      const config = loadConfig();
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
