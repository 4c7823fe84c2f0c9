import { Database } from '../../../duckdb/connection/connection.js';
import { quoted, type Sql, sql } from '../../../duckdb/sql.js';
import type { EngineOptions, PriorityClass } from '../reader-messages.js';

/**
 * Opens one engine instance per priority class: a blocked write holds a thread of its own instance
 * only.
 */
export async function openEngines({
  resultFolders,
  pipesFolder,
  memoryBytes,
  threads,
}: EngineOptions): Promise<Record<PriorityClass, Database>> {
  const open = async (priority: PriorityClass): Promise<Database> => {
    const database = await Database.open({
      threads: String(threads),
      memory_limit: `${Math.floor(memoryBytes / 2)}B`,
      temp_directory: `${pipesFolder}/spill-${priority}`,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      allow_persistent_secrets: 'false',
      // Pages are read from files that never change. The name of a whole result is used once.
      enable_external_file_cache: String(priority === 'interactive'),
    });
    const connection = await database.connect();
    await connection.runAll(lockDown([...resultFolders, pipesFolder]));
    connection.close();
    return database;
  };
  return { interactive: await open('interactive'), bulk: await open('bulk') };
}

/**
 * Settings of all connections that let the engine open files of these folders, and nothing else,
 * for good.
 */
function lockDown(folders: readonly string[]): Sql[] {
  return [
    sql`SET GLOBAL TimeZone = 'UTC'`,
    sql`SET allowed_directories = [${folders.map(quoted)}]`,
    sql`SET enable_external_access = false`,
    sql`SET lock_configuration = true`,
  ];
}
