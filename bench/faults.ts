import { parseArgs } from 'node:util';
import { FAILPOINTS } from '../src/config/failpoints.js';
import { ISSUE_KINDS } from '../test/support/fault-walk/issue.js';
import { OPERATIONS } from '../test/support/fault-walk/operations.js';
import { planWalk } from '../test/support/fault-walk/plan-walk.js';
import { PreparedFolder } from '../test/support/fault-walk/prepared-folder.js';
import { type WalkCase, walkCase } from '../test/support/fault-walk/walk-case.js';

/**
 * `npm run faults [-- --jobs N --operation NAME --point NAME --kind KIND --list]`: lets every
 * failpoint fire in every operation that reaches it, and compares what is left with what was
 * acknowledged. Each choice can be given several times.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      jobs: { type: 'string', default: '2' },
      operation: { type: 'string', multiple: true },
      point: { type: 'string', multiple: true },
      kind: { type: 'string', multiple: true },
      list: { type: 'boolean', default: false },
    },
  });
  const isChosen = (name: string, chosen?: readonly string[]) => chosen === undefined || chosen.includes(name);
  const prepared = await PreparedFolder.make();
  try {
    const planned: WalkCase[] = [];
    for (const each of OPERATIONS)
      if (isChosen(each.name, values.operation)) planned.push(...(await planWalk(prepared, each)));
    const isReached = (name: string) => planned.some((each) => each.name === name);
    const unreached = values.operation ? [] : Object.keys(FAILPOINTS).filter((name) => !isReached(name));
    const cases = planned.filter((each) => isChosen(each.name, values.point) && isChosen(each.kind, values.kind));
    if (values.list) for (const each of cases) console.log(describe(each));
    else report(cases, unreached, await walkAll(prepared, cases, Number(values.jobs)));
  } finally {
    await prepared.remove();
  }
}

/** Walks several cases at a time. @returns how many have an issue of each kind. */
async function walkAll(prepared: PreparedFolder, cases: readonly WalkCase[], jobs: number) {
  const counts = new Map<string, number>();
  const waiting = [...cases.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, each] = next;
      const found = await walkCase(prepared, each);
      console.error(`${index + 1}/${cases.length} ${describe(each)}${found.length === 0 ? '' : ' FAILED'}`);
      for (const { kind, detail } of found) console.error(`  ${kind}: ${detail.replaceAll('\n', '\n    ')}`);
      for (const kind of new Set(found.map((issue) => issue.kind))) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return counts;
}

const describe = ({ operation, name, kind, nth }: WalkCase) => `${operation.name}: ${name}=${kind}@${nth}`;

function report(cases: readonly WalkCase[], unreached: readonly string[], counts: ReadonlyMap<string, number>): void {
  const names = new Set(cases.map(({ name }) => name));
  const operations = new Set(cases.map(({ operation }) => operation.name));
  console.log('| Figure | Value | Must |\n|---|---|---|');
  console.log(`| operations, failpoints, cases | ${operations.size}, ${names.size}, ${cases.length} | |`);
  console.log(`| failpoints that no operation reaches | ${unreached.join(', ') || 0} | 0 |`);
  for (const kind of ISSUE_KINDS) console.log(`| ${kind} | ${counts.get(kind) ?? 0} | 0 |`);
  if (counts.size > 0 || unreached.length > 0) process.exitCode = 1;
}

await main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
