import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError, type ErrorKind } from '../../src/http/domain-error.js';
import { toErrorReply } from '../../src/http/error.filter.js';

/** What the service answers without an error class: it stands in the file that answers it. */
const ANSWERED_BY = ['src/http/error.filter.ts', 'src/http/http-adapter.ts', 'src/http/refuse-connection.ts'];

interface ErrorClass {
  readonly parent: string;
  readonly kind: ErrorKind | undefined;
  readonly code: string | undefined;
}

/** The error classes of a source text, by name. */
function findErrorClasses(text: string): [string, ErrorClass][] {
  return text
    .split(/^export (?=(?:abstract )?class )/m)
    .slice(1)
    .map((source) => {
      const [, name = '', parent = ''] = /^(?:abstract )?class (\w+) extends (\w+)/.exec(source) ?? [];
      const kind = /readonly kind = '(\w+)'/.exec(source)?.[1] as ErrorKind | undefined;
      return [name, { parent, kind, code: /readonly code = '(\w+)'/.exec(source)?.[1] }];
    });
}

function statusOf(kind: ErrorKind): number {
  class Example extends DomainError {
    readonly kind = kind;
    readonly code = 'example';
  }
  return toErrorReply(new Example('example'), 'request').status;
}

describe('docs/errors.md', () => {
  const classes = new Map<string, ErrorClass>();
  let documented: Map<string, number>;
  let answered: Set<string>;

  beforeAll(async () => {
    for (const file of await readdir('src', { recursive: true })) {
      if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
      for (const [name, found] of findErrorClasses(await readFile(`src/${file}`, 'utf8'))) classes.set(name, found);
    }
    const text = await readFile('docs/errors.md', 'utf8');
    const rows = text.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \| .+ \| .+ \|$/gm);
    documented = new Map([...rows].map(([, code = '', status]) => [code, Number(status)]));
    const sources = await Promise.all(ANSWERED_BY.map((file) => readFile(file, 'utf8')));
    answered = new Set(
      sources.flatMap((source) => [...source.matchAll(/code: '([a-z_]+)'/g)].map((match) => match[1] ?? '')),
    );
  });

  const isDomainError = (name: string): boolean =>
    name === 'DomainError' || isDomainErrorClass(classes.get(name)?.parent);
  const isDomainErrorClass = (parent: string | undefined) => parent !== undefined && isDomainError(parent);
  const kindOf = (name: string): ErrorKind | undefined =>
    classes.get(name)?.kind ?? (classes.has(name) ? kindOf(classes.get(name)?.parent ?? '') : undefined);

  const coded = () => [...classes].filter(([name, { code }]) => code !== undefined && isDomainError(name));

  it('lists exactly the codes that the service answers', () => {
    const codes = new Set([...coded().map(([, { code }]) => code ?? ''), ...answered]);
    expect(codes.size).toBeGreaterThan(50);
    expect([...documented.keys()].sort()).toEqual([...codes].sort());
  });

  it('tells the status of each class of errors', () => {
    const statuses = coded().map(([name, { code }]) => [code, statusOf(kindOf(name) ?? 'invalid')]);
    expect(statuses).toEqual(coded().map(([, { code }]) => [code, documented.get(code ?? '')]));
    expect(coded().filter(([name]) => kindOf(name) === undefined)).toEqual([]);
  });

  it('gives no code to two classes', () => {
    expect(new Set(coded().map(([, { code }]) => code)).size).toBe(coded().length);
  });
});
