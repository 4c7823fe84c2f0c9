import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Catalog } from './catalog.js';
import { DataFolderLock } from './data-folder-lock.js';

/** Opens the catalog for the server, after it has locked its data folder. */
@Global()
@Module({
  providers: [
    { provide: DataFolderLock, inject: [Config], useFactory: (config: Config) => DataFolderLock.take(config.DATA_DIR) },
    {
      provide: Catalog,
      inject: [Config, DataFolderLock],
      useFactory: (config: Config) => Catalog.open(config.DATA_DIR),
    },
  ],
  exports: [Catalog],
})
export class CatalogModule {}
