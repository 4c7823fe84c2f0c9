import { type Connection, Database } from '../../../duckdb/connection/connection.js';
import { quoted, raw, type Sql, sql } from '../../../duckdb/sql.js';
import type { EngineOptions } from '../ingest-messages.js';
import type { EngineBudget } from './work-plan.js';

/** The engine of an ingest child. */
export interface IngestEngine {
  readonly connection: Connection;
  readonly budget: EngineBudget;
}

/** Opens the engine of an ingest child, which cannot open files outside its folders. */
export async function openEngine(options: EngineOptions): Promise<IngestEngine> {
  const database = await Database.open({
    threads: String(options.threads),
    memory_limit: `${options.memoryBytes}B`,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
    // The cache serves stale footers when a path is written again at once.
    enable_external_file_cache: 'false',
  });
  const connection = await database.connect();
  await connection.runAll(settings(options));
  return { connection, budget: options };
}

function settings({ folders, spillFolder, maxSpillBytes }: EngineOptions): Sql[] {
  return [
    sql`SET temp_directory = ${quoted(spillFolder)}`,
    // As an option at opening it would be shown, but not enforced.
    sql`SET max_temp_directory_size = ${quoted(`${maxSpillBytes}B`)}`,
    raw("SET GLOBAL TimeZone = 'UTC'"),
    sql`SET allowed_directories = [${folders.map(quoted)}]`,
    raw('SET enable_external_access = false'),
  ];
}
