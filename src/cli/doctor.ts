import type { Command } from 'commander';
import type { Catalog } from '../catalog/catalog.js';
import type { Config } from '../config/config.js';
import { readConfig } from '../config/read-settings.js';
import { type Check, type DoctorOptions, examine, type Finding } from './doctor/check.js';
import { checkCatalog, withCatalog } from './doctor/check-catalog.js';
import { checkContents } from './doctor/check-contents.js';
import { checkEngine } from './doctor/check-engine.js';
import { checkExecutions } from './doctor/check-executions.js';
import { FOLDER_CHECKS } from './doctor/check-folder.js';
import { checkOrphans } from './doctor/check-orphans.js';
import { checkQuotas } from './doctor/check-quotas.js';
import { checkResults } from './doctor/check-results.js';
import { checkTables } from './doctor/check-tables.js';
import { MACHINE_CHECKS } from './doctor/machine-checks.js';

const CHECKS: readonly Check[] = [
  ...MACHINE_CHECKS,
  ...FOLDER_CHECKS,
  { name: 'catalog', run: checkCatalog },
  ofCatalog('tables', checkTables),
  ofCatalog('results', checkResults),
  ofCatalog('executions', checkExecutions),
  ofCatalog('quotas', checkQuotas),
  ofCatalog('orphans', checkOrphans),
  ofCatalog('contents', checkContents),
  { name: 'engine', run: checkEngine },
];

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

/** A check of what the catalog refers to. */
function ofCatalog(
  name: string,
  work: (catalog: Catalog, config: Config, options: DoctorOptions) => Promise<string>,
): Check {
  return { name, run: (config, options) => withCatalog(config, (catalog) => work(catalog, config, options)) };
}

function wordFor({ ok, isWarning }: Finding): string {
  if (!ok) return 'FAIL';
  return isWarning ? 'warn' : 'ok  ';
}
