import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram, defineCommand } from '../../src/cli/program.js';

const NAMED_DIRECTLY = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** Finds the command that words name, and those of its options that it does not have. */
function follow(program: Command, words: readonly string[]): { found: string[]; unknownOptions: string[] } {
  let command = program;
  const found: string[] = [];
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) break;
    command = next;
    found.push(word);
  }
  const options = words.filter((word) => word.startsWith('--'));
  const known = new Set(command.options.map(({ long }) => long));
  return { found, unknownOptions: options.filter((option) => !known.has(option)) };
}

describe('the commands in the docs', () => {
  const pages = new Map<string, string>();
  let readme: string;
  let scripts: Record<string, string>;
  const program = createProgram();

  beforeAll(async () => {
    for (const command of program.commands) await defineCommand(command);
    const inDocs = (await readdir('docs', { recursive: true })).filter((file) => file.endsWith('.md'));
    for (const file of [...NAMED_DIRECTLY, ...inDocs.map((file) => `docs/${file}`)])
      pages.set(file, await readFile(file, 'utf8'));
    readme = pages.get('README.md') ?? '';
    scripts = (JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts;
  });

  it('stand on the first screen of the README, to start and to test', () => {
    const firstScreen = readme.split('\n').slice(0, 30);
    expect(firstScreen).toContain('npm ci && npm start');
    expect(firstScreen).toContain('npm ci && npm test');
  });

  it('name scripts of package.json only', () => {
    const named = [...pages.values()].flatMap((text) =>
      [...text.matchAll(/npm (?:run (?:--silent )?([a-z:]+)|(start|test)\b)/g)].map(
        (match) => match[1] ?? match[2] ?? '',
      ),
    );
    expect(new Set(named)).toContain('eider');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('are commands of the program, with options that they have', () => {
    const lines = [...readme.matchAll(/npm run --silent eider -- (.+)$/gm)].map((match) => match[1] ?? '');
    expect(lines.length).toBeGreaterThan(5);
    const followed = lines.map((line) => ({ line, ...follow(program, line.split(' ')) }));
    expect(followed.filter(({ found, unknownOptions }) => found.length === 0 || unknownOptions.length > 0)).toEqual([]);
  });

  it('are commands of the program also where the text names them', () => {
    const named = [...pages.values()].flatMap((text) =>
      [...text.matchAll(/(?:`|bin\/)eider ([a-z]+(?: [a-z|]+)?)/g)].map((match) => match[1] ?? ''),
    );
    expect(named.length).toBeGreaterThan(5);
    const known = named.map((name) => ({ name, words: name.split(' ') }));
    const unknown = known.filter(
      ({ words }) => words[0] !== 'help' && follow(program, words).found.length < words.length,
    );
    expect(unknown).toEqual([]);
  });

  it('point to files that exist', async () => {
    const links = [...pages].flatMap(([file, text]) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map((match) =>
        new URL(match[1] ?? '', `file:///${file}`).pathname.slice(1),
      ),
    );
    expect(links.length).toBeGreaterThan(20);
    const missing: string[] = [];
    for (const link of new Set(links)) await readdir(link).catch(() => readFile(link).catch(() => missing.push(link)));
    expect(missing).toEqual([]);
  });
});
