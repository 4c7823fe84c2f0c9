// A child for the specs of src/processes/pool: reports that it is ready, then does what each
// message asks.
import { writeFileSync } from 'node:fs';
import { connectToParent } from '../../../src/processes/pool/parent-link.ts';

const hoard = [];

const actions = {
  echo: ({ text }) => link.send({ kind: 'echo', text }),
  environment: () => link.send({ kind: 'environment', names: Object.keys(process.env).sort(), folder: process.cwd() }),
  complain: ({ text }) => process.stderr.write(text, () => process.exit(3)),
  write: ({ path, bytes }) => {
    try {
      writeFileSync(path, Buffer.alloc(bytes));
      link.send({ kind: 'written' });
    } catch (error) {
      link.send({ kind: 'refused', code: error.code });
    }
  },
  hoard: ({ bytes }) => {
    hoard.push(Buffer.alloc(bytes, 1));
    link.send({ kind: 'hoarded' });
  },
  spin: () => {
    for (;;);
  },
};

const link = connectToParent((message) => actions[message.kind](message));
link.send({ kind: 'ready' });
