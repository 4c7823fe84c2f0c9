import { connectToParent } from '../../children/parent-link.js';
import { ReadServer } from './in-child/read-server.js';
import type { FromReadChild, ToReadChild } from './reader-messages.js';

// The reading process: runs trusted COPY statements into named pipes, several at a time.
const server = new ReadServer((message) => link.send(message));
const link = connectToParent<FromReadChild, ToReadChild>((message) => server.receive(message));
