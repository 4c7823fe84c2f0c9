import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { BlobStore } from './blob-store.js';

/** The blobs of results. */
export class ResultStore extends BlobStore {}

/** The blobs of table parts. */
export class TableStore extends BlobStore {}

/** Opens the store of results of a data folder. */
export function openResultStore({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): ResultStore {
  return new ResultStore(join(DATA_DIR, 'results'));
}

/** Opens the store of table parts of a data folder. */
export function openTableStore({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): TableStore {
  return new TableStore(join(DATA_DIR, 'tables'));
}

/** Provides the blob stores of the data folder. */
@Global()
@Module({
  providers: [
    { provide: ResultStore, inject: [Config], useFactory: openResultStore },
    { provide: TableStore, inject: [Config], useFactory: openTableStore },
  ],
  exports: [ResultStore, TableStore],
})
export class StorageModule {}
