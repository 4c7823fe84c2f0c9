import { connectToParent } from '../../../children/parent-link.js';
import { ChildRun } from './in-child/child-run.js';
import { openSandbox } from './in-child/sandbox.js';
import type { FromRunChild, ToRunChild } from './run-messages.js';

// The script of a run child: waits, with the engine open, for the one statement that it is to run.
const run = new ChildRun(await openSandbox(), (message) => link.send(message));
const link = connectToParent<FromRunChild, ToRunChild>((message) => run.receive(message));
link.send({ kind: 'ready' });
