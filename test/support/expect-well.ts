import { expect } from '@jest/globals';
import { Program } from './program.js';

/** Expects that `eider doctor` finds no problem in a data folder, with or without a server. */
export async function expectWell(dataDir: string, ...options: string[]): Promise<void> {
  const { output } = await Program.run(['doctor', '--json', ...options], { DATA_DIR: dataDir }).exited;
  const findings = JSON.parse(output) as { name: string; ok: boolean }[];
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  expect(findings.map(({ name }) => name)).toContain('orphans');
}
