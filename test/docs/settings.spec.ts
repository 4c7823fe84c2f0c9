import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Config } from '../../src/config/config.js';
import { loadConfig, settingNames } from '../../src/config/load-config.js';
import { readMachine } from '../../src/config/machine.js';
import { childBudgetBytes, deriveMemorySettings, findExceededMemoryBudget } from '../../src/config/memory-budget.js';

describe('docs/settings.md', () => {
  let documented: Map<string, string>;

  beforeAll(async () => {
    const text = await readFile('docs/settings.md', 'utf8');
    const rows = text.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| .+ \|$/gm);
    documented = new Map([...rows].map(([, name = '', value = '']) => [name, value]));
  });

  it('lists exactly the settings that there are', () => {
    expect([...documented.keys()].sort()).toEqual(settingNames().sort());
  });

  it('tells the defaults, in a form that a setting can have', () => {
    const fixed = [...documented].filter(([, value]) => value.startsWith('`'));
    const config = loadConfig(Object.fromEntries(fixed.map(([name, value]) => [name, value.replaceAll('`', '')])));
    const names = fixed.map(([name]) => name as keyof Config);
    expect(names.map((name) => [name, config[name]])).toEqual(names.map((name) => [name, new Config()[name]]));
  });

  it('says "none" of the settings that are absent or empty', () => {
    const none = [...documented].filter(([, value]) => value === 'none').map(([name]) => name as keyof Config);
    const config = new Config();
    expect(none.filter((name) => config[name] !== undefined && String(config[name]) !== '')).toEqual([]);
    const absent = settingNames().filter((name) => String(config[name as keyof Config] ?? '') === '');
    expect(none.sort()).toEqual(absent.sort() as (keyof Config)[]);
  });

  it('is for machines that have what the README requires', async () => {
    const readme = (await readFile('README.md', 'utf8')).replaceAll(/\s+/g, ' ');
    const [, few, many] = /requires ([\d.]+) GB of memory \(([\d.]+) GB from 5 cores on\)/.exec(readme) ?? [];
    for (const [cores, gigabytes] of [
      [4, Number(few)],
      [5, Number(many)],
    ] as const) {
      const isEnough = (memoryBytes: number) =>
        findExceededMemoryBudget(deriveMemorySettings({ cores, memoryBytes }), { cores, memoryBytes }) === undefined;
      expect([isEnough(gigabytes * 1e9), isEnough((gigabytes - 0.2) * 1e9)]).toEqual([true, false]);
    }
  });

  it.each([
    ['settings', 'run', 'WORKER_MEMORY'],
    ['settings', 'read', 'READER_MEMORY'],
    ['settings', 'ingest', 'UPLOADER_MEMORY'],
    ['operations', 'run', '`WORKER_MEMORY`'],
  ] as const)('and %s.md have the memory budget of a %s child as the code has it', async (page, kind, setting) => {
    const text = await readFile(`docs/${page}.md`, 'utf8');
    const overheads = [...text.matchAll(new RegExp(`2 x ${setting} \\+ (\\d+) MB`, 'g'))];
    expect(overheads.map(([, megabytes]) => Number(megabytes) * 1e6)).toEqual([childBudgetBytes(kind, 0)]);
  });

  it('says "machine" of the settings that depend on the machine', () => {
    const machine = [...documented].filter(([, value]) => value === '*machine*').map(([name]) => name);
    const derived = Object.keys(deriveMemorySettings(readMachine()));
    const threads = settingNames().filter((name) => name.endsWith('_THREADS'));
    expect(machine.sort()).toEqual([...derived, ...threads].sort());
  });
});
