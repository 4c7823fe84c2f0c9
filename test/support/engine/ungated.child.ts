import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connectToParent } from '../../../src/processes/pool/parent-link.js';
import { lockSandbox, openSandbox } from '../../../src/processes/run/child/sandbox.js';
import type { FromUngatedChild, ToUngatedChild } from './ungated-messages.js';

const MAX_TEXT_LENGTH = 100_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

// Runs statements as a run child would, each in a locked sandbox of its own, but without the
// statement gate before it.
const link = connectToParent<FromUngatedChild, ToUngatedChild>(async (message) => link.send(await run(message)));
link.send({ kind: 'ready' });

async function run({ job, tables }: ToUngatedChild): Promise<FromUngatedChild> {
  process.chdir(job.folder);
  const connection = await openSandbox();
  await lockSandbox(connection, job, tables);
  try {
    let text = '';
    for await (const rows of connection.stream({ text: job.sql, values: Object.values(job.parameters) })) {
      if (text.length < MAX_TEXT_LENGTH) text += JSON.stringify(rows);
    }
    return { kind: 'passed', text };
  } catch (error) {
    return { kind: 'stopped', isOutOfMemory: `${error}`.includes('Out of Memory') };
  } finally {
    connection.close();
    // Frees the memory of the engine.
    collectGarbage();
  }
}
