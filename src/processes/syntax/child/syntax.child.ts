import { Database } from '../../../duckdb/connection/connection.js';
import { sql } from '../../../duckdb/sql.js';
import { connectToParent } from '../../pool/parent-link.js';
import type { FromSyntaxChild, ToSyntaxChild } from '../syntax-messages.js';
import { findSyntaxIssue } from './find-syntax-issue.js';

// The script of a syntax child: parses texts, one after the other, and runs nothing of them.
async function main(): Promise<void> {
  const database = await Database.open({
    threads: '1',
    memory_limit: '64MB',
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
    storage_compatibility_version: 'v1.5.0',
  });
  const connection = await database.connect();
  await connection.runAll([sql`SET enable_external_access = false`, sql`SET lock_configuration = true`]);
  await findSyntaxIssue(connection, 'SELECT 1');
  const link = connectToParent<FromSyntaxChild, ToSyntaxChild>(async (message) => {
    const issue = await findSyntaxIssue(connection, message.sql);
    link.send(issue ? { kind: 'checked', issue } : { kind: 'checked' });
  });
  link.send({ kind: 'ready' });
}

void main();
