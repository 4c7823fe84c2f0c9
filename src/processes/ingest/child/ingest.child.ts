import { connectToParent } from '../../pool/parent-link.js';
import type { FromIngestChild, ToIngestChild } from '../ingest-messages.js';
import { IngestServer } from './ingest-server.js';

// The ingest process: reads what was uploaded and writes it as Parquet, one job at a time.
const server = new IngestServer((message) => link.send(message));
const link = connectToParent<FromIngestChild, ToIngestChild>((message) => server.receive(message));
