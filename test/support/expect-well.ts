import { expect } from '@jest/globals';
import type { DoctorOptions, Finding } from '../../src/cli/doctor/check.js';
import { examineData } from '../../src/cli/doctor/data-checks.js';
import { loadConfig } from '../../src/config/load-config.js';

/** What `eider doctor` finds in a data folder, by the name of the check, without its process. */
export function examineFolder(dataDir: string, options: Partial<DoctorOptions> = {}): Promise<Map<string, Finding>> {
  const config = loadConfig({ DATA_DIR: dataDir, UPLOADER_MEMORY: '128MB' });
  return examineData(config, { repair: false, deep: false, ...options });
}

/** Expects that `eider doctor` finds no problem in a data folder, with or without a server. */
export async function expectWell(dataDir: string, options: Partial<DoctorOptions> = {}): Promise<void> {
  const findings = await examineFolder(dataDir, options);
  expect([...findings].filter(([, { ok }]) => !ok)).toEqual([]);
  expect([...findings.keys()]).toContain('orphans');
}
