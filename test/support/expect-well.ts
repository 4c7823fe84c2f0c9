import { expect } from '@jest/globals';
import { type DoctorOptions, examine, type Finding } from '../../src/cli/doctor/check.js';
import { DATA_CHECKS } from '../../src/cli/doctor/data-checks.js';
import { loadConfig } from '../../src/config/load-config.js';

/** What `eider doctor` finds in a data folder, by the name of the check, without its process. */
export async function examineFolder(
  dataDir: string,
  options: Partial<DoctorOptions> = {},
): Promise<Map<string, Finding>> {
  const config = loadConfig({ DATA_DIR: dataDir, UPLOADER_MEMORY: '128MB' });
  const findings = new Map<string, Finding>();
  for (const check of DATA_CHECKS)
    findings.set(check.name, await examine(check, config, { repair: false, deep: false, ...options }));
  return findings;
}

/** Expects that `eider doctor` finds no problem in a data folder, with or without a server. */
export async function expectWell(dataDir: string, options: Partial<DoctorOptions> = {}): Promise<void> {
  const findings = await examineFolder(dataDir, options);
  expect([...findings].filter(([, { ok }]) => !ok)).toEqual([]);
  expect([...findings.keys()]).toContain('orphans');
}
