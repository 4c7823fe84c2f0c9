import { DomainError } from '../http/domain-error.js';

/** Another process serves the same data folder. */
export class DataFolderInUseError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'data_folder_in_use';

  constructor() {
    super('Another server is using this data folder (DATA_DIR): stop it first, or give this one a folder of its own');
  }
}

/** Names that a message lists before it counts the others. */
const MAX_NAMES = 4;

/** A new catalog would be made among files that are there already. */
export class DataFolderNotEmptyError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'data_folder_not_empty';

  /** @param names of what was found in the folder. */
  constructor(names: readonly string[]) {
    const rest = names.length - MAX_NAMES;
    const found = rest > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${rest} more` : names.join(', ');
    super(
      `The data folder (DATA_DIR) holds ${found}, but no catalog (catalog.db), and a new one would know none of it: ` +
        'restore catalog.db from a backup, or, to begin anew, choose another DATA_DIR or move these files away',
    );
  }
}
