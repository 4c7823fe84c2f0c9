import { Connection, Database } from '../../../duckdb/engine/engine.js';
import { join, quoted, raw, sql } from '../../../duckdb/sql.js';
import type { Lane, LaneOptions } from '../reader-messages.js';

/** Opens one engine instance per lane: a blocked write holds a thread of its own instance only. */
export async function openLanes({
  resultFolders,
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
    await setCaches(connection, lane);
    await lockDown(connection, [...resultFolders, pipesFolder]);
    connection.close();
    return database;
  };
  return { page: await open('page'), whole: await open('whole') };
}

/** Pages are read from files that never change. A whole result is read from a file with a name of its own, which nobody reads again. */
async function setCaches(connection: Connection, lane: Lane): Promise<void> {
  if (lane === 'page') await connection.run(raw('SET parquet_metadata_cache = true'));
  else await connection.run(raw('SET enable_external_file_cache = false'));
}

/** Lets the engine open files of these folders, and nothing else, for good. */
async function lockDown(connection: Connection, folders: readonly string[]): Promise<void> {
  const list = join(folders.map(quoted), ', ');
  await connection.run(raw("SET TimeZone = 'UTC'"));
  await connection.run(sql`SET allowed_directories = [${list}]`);
  await connection.run(raw('SET enable_external_access = false'));
  await connection.run(raw('SET lock_configuration = true'));
}
