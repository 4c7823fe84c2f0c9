import { connectToParent } from '../../pool/parent-link.js';
import type { FromRunChild, ToRunChild } from '../run-messages.js';
import { ChildRuns } from './child-runs.js';
import { openSandbox } from './sandbox.js';
import { warmUp } from './warm-up.js';

// The script of a run child: waits, with the engine open, for statements of one author.
async function main(): Promise<void> {
  const sandbox = await openSandbox();
  await warmUp(sandbox);
  const runs = new ChildRuns(sandbox, (message) => link.send(message));
  const link = connectToParent<FromRunChild, ToRunChild>((message) => runs.receive(message));
  link.send({ kind: 'ready' });
}

void main();
