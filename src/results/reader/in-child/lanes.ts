import { Connection, Database } from '../../../duckdb/engine/engine.js';
import { join, quoted, raw, sql } from '../../../duckdb/sql.js';
import type { Lane, LaneOptions } from '../reader-messages.js';

/** Opens one engine instance per lane: a blocked write holds a thread of its own instance only. */
export async function openLanes({
  resultsFolder,
  pipesFolder,
  memoryBytes,
  threads,
}: LaneOptions): Promise<Record<Lane, Database>> {
  const open = async (lane: Lane): Promise<Database> => {
    const database = await Database.open({
      threads: String(threads),
      memory_limit: `${Math.floor(memoryBytes / 2)}B`,
      temp_directory: `${pipesFolder}/spill-${lane}`,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      allow_persistent_secrets: 'false',
    });
    const connection = await database.connect();
    await lockDown(connection, [resultsFolder, pipesFolder]);
    connection.close();
    return database;
  };
  return { page: await open('page'), whole: await open('whole') };
}

/** Lets the engine open files of these folders, and nothing else, for good. */
async function lockDown(connection: Connection, folders: readonly string[]): Promise<void> {
  const list = join(folders.map(quoted), ', ');
  await connection.run(raw("SET TimeZone = 'UTC'"));
  // Result files never change, so that what was read of their footers stays true.
  await connection.run(raw('SET parquet_metadata_cache = true'));
  await connection.run(sql`SET allowed_directories = [${list}]`);
  await connection.run(raw('SET enable_external_access = false'));
  await connection.run(raw('SET lock_configuration = true'));
}
