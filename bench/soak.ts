import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Figures } from './soak/figures.js';
import { Ledger } from './soak/ledger.js';
import { SoakService } from './soak/soak-service.js';
import { Workload } from './soak/workload.js';

/** Executions end soon even if their client lost them when the server was killed. */
const SETTINGS = {
  WORKERS: '2',
  WORKER_MEMORY: '256MB',
  READER_MEMORY: '256MB',
  UPLOADER_MEMORY: '256MB',
  RESULT_STORAGE_FREE: '0',
  RESULT_STORAGE_PREMIUM: '0',
  EXECUTION_TIMEOUT: '10s',
};
const SAMPLE_MS = 5_000;
const CRASHES = 5;
/** Time in which what is under way must end once the clients are gone. */
const SETTLE_MS = 120_000;
const MUST = { memoryMb: 1, descriptors: 1 };

/** `npm run soak [-- --minutes N]`: mixed clients; children, then the server are killed. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
  const service = await SoakService.start(SETTINGS);
  const ledger = new Ledger();
  try {
    progress('Clients work, and children are killed');
    const figures = await disturbChildren(service, ledger, Number(values.minutes));
    progress('The server is killed');
    const crashes = await crashServer(service, ledger);
    progress('What was acknowledged is read again');
    report(ledger, figures, [...crashes, ...(await findStuck(service, ledger)), ...(await findLost(service, ledger))]);
  } finally {
    await service.stop('SIGTERM');
    await service.remove();
  }
}

/** Reports progress on the standard error; the figures go to the standard output. */
function progress(what: string): void {
  console.error(`${new Date().toISOString()} ${what}`);
}

/** Runs clients, and kills a child of the server every few seconds. */
async function disturbChildren(service: SoakService, ledger: Ledger, minutes: number): Promise<Figures> {
  const figures = new Figures(service);
  const workload = new Workload(service, ledger);
  const running = workload.run();
  const endsAt = performance.now() + minutes * 60_000;
  while (performance.now() < endsAt) {
    await setTimeout(SAMPLE_MS);
    service.requireAlive();
    await figures.sample();
    const children = service.childPids();
    const victim = children[Math.floor(Math.random() * children.length)];
    if (victim === undefined) continue;
    process.kill(victim, 'SIGKILL');
    ledger.count('children killed');
  }
  workload.end();
  await running;
  return figures;
}

/** Kills the server under load and starts it again; `eider doctor` examines the data folder. */
async function crashServer(service: SoakService, ledger: Ledger): Promise<string[]> {
  const findings: string[] = [];
  for (let crash = 0; crash < CRASHES; crash++) {
    const workload = new Workload(service, ledger);
    const running = workload.run();
    await setTimeout(3_000 + Math.random() * 3_000);
    await service.stop('SIGKILL');
    ledger.count('servers killed');
    await service.start();
    await setTimeout(2_000);
    workload.end();
    await running;
  }
  await service.stop('SIGTERM');
  const { code, output } = await service.command('doctor');
  if (code !== 0) findings.push(`doctor: ${output}`);
  await service.start();
  return findings;
}

/** Executions that have not ended a while after the last client. */
async function findStuck(service: SoakService, ledger: Ledger): Promise<string[]> {
  const open = new Set(ledger.started);
  const endsAt = performance.now() + SETTLE_MS;
  while (open.size > 0 && performance.now() < endsAt) {
    for (const id of open) {
      const body = (await (await service.fetch(`/execution/${id}/status`)).json()) as {
        is_execution_finished: boolean;
      };
      if (body.is_execution_finished) open.delete(id);
      else await service.fetch(`/execution/${id}/cancel`, 'POST', '');
    }
  }
  return [...open].map((id) => `execution ${id} is stuck`);
}

/** What was acknowledged and is not there any more. */
async function findLost(service: SoakService, ledger: Ledger): Promise<string[]> {
  for (const id of ledger.results.keys()) {
    const response = await service.fetch(`/execution/${id}/results/csv`);
    if (response.ok) ledger.noteResult(id, await response.text());
    else ledger.losses.push(`execution ${id}: ${response.status} ${await response.text()}`);
  }
  for (const table of ledger.tables.keys()) {
    const sql = JSON.stringify({ sql: `SELECT count(*) AS n FROM demo.${table}` });
    const started = (await (await service.fetch('/sql/execute', 'POST', sql)).json()) as { execution_id: string };
    for (;;) {
      const response = await service.fetch(`/execution/${started.execution_id}/results`);
      const body = (await response.json()) as { state: string; result?: { rows: { n: number }[] } };
      if (!body.result && /PENDING|EXECUTING/.test(body.state)) continue;
      ledger.checkTable(table, Number(body.result?.rows[0]?.n));
      break;
    }
  }
  return ledger.losses;
}

function report(ledger: Ledger, figures: Figures, findings: readonly string[]): void {
  const { memoryMb, descriptors } = figures.slopes();
  const lost = ledger.losses.length;
  console.log('| Figure | Value | Must |\n|---|---|---|');
  for (const [what, count] of [...ledger.counts].toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(`| ${what} | ${count} | |`);
  console.log(`| results read again at the end | ${ledger.results.size} | |`);
  console.log(`| acknowledged results and rows lost | ${lost} | 0 |`);
  console.log(`| executions stuck, findings of doctor | ${findings.length - lost} | 0 |`);
  console.log(
    `| memory of the server | at most ${figures.peakMb().toFixed(0)} MB, ${memoryMb.toFixed(2)} MB a minute | ${MUST.memoryMb} MB a minute |`,
  );
  console.log(`| descriptors | ${descriptors.toFixed(2)} a minute | ${MUST.descriptors} a minute |`);
  for (const finding of findings) console.error(finding);
  if (findings.length > 0 || memoryMb > MUST.memoryMb || descriptors > MUST.descriptors) process.exitCode = 1;
}

await main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
