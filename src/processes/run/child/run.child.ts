import { connectToParent } from '../../pool/parent-link.js';
import type { FromRunChild, ToRunChild } from '../run-messages.js';
import { ChildRun } from './child-run.js';
import { openSandbox } from './sandbox.js';
import { warmUp } from './warm-up.js';

// The script of a run child: waits, with the engine open, for the one statement that it is to run.
async function main(): Promise<void> {
  const connection = await openSandbox();
  await warmUp(connection);
  const run = new ChildRun(connection, (message) => link.send(message));
  const link = connectToParent<FromRunChild, ToRunChild>((message) => run.receive(message));
  link.send({ kind: 'ready' });
}

void main();
