import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { BlobStore } from './blob-store.js';

/** Where results are kept. */
export class ResultStore extends BlobStore {}

/** Where the parts of tables are kept. */
export class TableStore extends BlobStore {}

/** Opens the store of results of a data folder. */
export function openResultStore({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): ResultStore {
  return new ResultStore(join(DATA_DIR, 'results'));
}

/** Opens the store of table parts of a data folder. */
export function openTableStore({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): TableStore {
  return new TableStore(join(DATA_DIR, 'tables'));
}

/** Gives the features the folders that they keep bytes in. */
@Global()
@Module({
  providers: [
    { provide: ResultStore, inject: [Config], useFactory: openResultStore },
    { provide: TableStore, inject: [Config], useFactory: openTableStore },
  ],
  exports: [ResultStore, TableStore],
})
export class StorageModule {}
