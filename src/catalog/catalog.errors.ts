import { DomainError } from '../common/domain-error.js';

/** Another process serves the same data folder. */
export class DataFolderInUseError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'data_folder_in_use';

  constructor() {
    super('Another server is using this data folder (DATA_DIR): stop it first, or give this one a folder of its own');
  }
}
