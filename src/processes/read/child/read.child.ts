import { connectToParent } from '../../pool/parent-link.js';
import type { FromReadChild, ToReadChild } from '../reader-messages.js';
import { ReadServer } from './read-server.js';

// The reading process: runs trusted COPY statements into named pipes, several at a time.
const server = new ReadServer((message) => link.send(message));
const link = connectToParent<FromReadChild, ToReadChild>((message) => server.receive(message));
