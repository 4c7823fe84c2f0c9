import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Program, untilNobodyWorksIn } from '../support/program.js';
import { until } from '../support/until.js';
import { consoleCommands, DocumentSession } from './console-blocks.js';

/** In the order in which they are run, against one server: ids of queries count on. */
const PAGES = ['README.md', 'api', 'filters', 'paging', 'sampling', 'types', 'uploads'].map((page) =>
  page.endsWith('.md') ? page : `docs/${page}.md`,
);
const START = 'PORT=8123 DATA_DIR=/tmp/eider npm start';

describe('the examples of', () => {
  let folder: string;
  let program: Program;
  let session: DocumentSession;
  let key: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eider-examples-'));
    const settings = {
      PORT: await freePort(),
      SAMPLE_DATA: 'true',
      BOOTSTRAP_API_KEY: '',
      DATA_DIR: join(folder, 'data'),
    };
    program = await Program.serveOnTerminal(settings);
    await program.untilOutput(/results\/csv/);
    session = new DocumentSession(
      {
        '8123': settings.PORT,
        '/tmp/eider': settings.DATA_DIR,
        '/tmp/busy.sql': join(folder, 'busy.sql'),
      },
      folder,
    );
    key = /eider_[\w-]{32}/.exec(program.output)?.[0] ?? '';
  });
  afterAll(async () => {
    await program.stop('SIGTERM');
    await untilNobodyWorksIn(folder);
    await rm(folder, { recursive: true });
  });

  /**
   * The output of a command; of one that starts an execution, once that has ended, as readers wait.
   */
  async function outputOf(command: string): Promise<string> {
    // The test does not build the program again.
    if (command === START) return `Built dist/\n${program.output.replaceAll('\r', '').trimEnd()}`;
    const output = await session.run(command);
    const [, id] = /^\{"execution_id":"(\w{26})","state":"QUERY_STATE_PENDING"/.exec(output) ?? [];
    if (id) await until(() => isFinished(id));
    return output;
  }

  async function isFinished(id: string): Promise<boolean> {
    const url = `${program.url}/api/v1/execution/${id}/status`;
    const status = await fetch(url, { headers: { 'x-service-api-key': key } });
    return ((await status.json()) as { is_execution_finished: boolean }).is_execution_finished;
  }

  it.each(PAGES)('%s print what it shows', async (page) => {
    const commands = consoleCommands(await readFile(page, 'utf8'));
    expect(commands.length).toBeGreaterThan(2);
    for (const { command, shown } of commands) {
      const output = await outputOf(command);
      if (!session.matches(shown, output)) expect({ command, output }).toEqual({ command, output: shown });
    }
  });

  it.each(PAGES)('%s stand in blocks that are run', async (page) => {
    const text = await readFile(page, 'utf8');
    const others = text.replaceAll(/^```console\n[\s\S]*?^```$/gm, '').matchAll(/^```\w*\n[\s\S]*?^```$/gm);
    expect([...others].map(String).filter((block) => block.includes('curl'))).toEqual([]);
  });
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
