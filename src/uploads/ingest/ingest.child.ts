import { setFlagsFromString } from 'node:v8';
import { connectToParent } from '../../children/parent-link.js';
import { IngestServer } from './in-child/ingest-server.js';
import type { FromIngestChild, ToIngestChild } from './ingest-messages.js';

// The check of lines is one loop over many small functions, which are compiled as one only with more room than is usual.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000');

// The ingest process: reads what was uploaded and writes it as Parquet, one job at a time.
const server = new IngestServer((message) => link.send(message));
const link = connectToParent<FromIngestChild, ToIngestChild>((message) => server.receive(message));
