import type { Plan } from '../auth/account.js';
import { formatSize } from '../config/units.js';
import { DomainError } from '../http/domain-error.js';
import { findPlanFor, STORAGE_BYTES } from './plan-storage.js';

/** No table has the name, or it is another account's: which is not disclosed. */
export class TableNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'table_not_found';

  constructor() {
    super('Table not found');
  }
}

/** Tables are created in the caller's own namespace only. */
export class NamespaceNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'namespace_not_found';

  /** @param own the namespace that the caller has. */
  constructor(own: string) {
    super(`Namespace not found: the tables of this API key stand in the namespace ${own}`);
  }
}

/** The name of a new table cannot be used. */
export class InvalidTableNameError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_table_name';

  constructor(issue: string) {
    super(`table_name: ${issue}`);
  }
}

/** The account has a table of that name. */
export class TableExistsError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'table_exists';

  constructor(name: string) {
    super(`There is a table ${name} already: delete it first, or choose another name`);
  }
}

/** The table that a change was meant for is not there any more; another may have its name. */
export class TableReplacedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'table_replaced';

  constructor() {
    super(
      'The table was replaced or deleted by another request meanwhile: nothing was changed, send the request again',
    );
  }
}

/** The rows of an insert are neither CSV nor NDJSON by their Content-Type. */
export class InsertFormatError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'insert_format';

  constructor() {
    super(
      'The Content-Type must name the format of the rows: text/csv or application/x-ndjson, else format=csv or format=ndjson',
    );
  }
}

/** A table that stands for files of the operator can be read only. */
export class LinkedTableError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'linked_table';

  constructor(name: string) {
    super(`The table ${name} is linked to files of the server and can only be read`);
  }
}

/** Private tables are for the premium plan. */
export class PrivateTableError extends DomainError {
  readonly kind = 'payment_required';
  readonly code = 'private_table_plan';

  constructor(plan: Plan) {
    super(`The plan ${plan} has no private tables, the plan premium has them: ask the operator to change the plan`);
  }
}

/** The tables of the account would take more than its plan allows. */
export class StorageFullError extends DomainError {
  readonly kind = 'payment_required';
  readonly code = 'storage_full';

  constructor(plan: Plan, neededBytes: number) {
    const larger = findPlanFor(neededBytes);
    const way = larger
      ? `the plan ${larger} allows ${formatSize(STORAGE_BYTES[larger])}`
      : 'delete tables first, no plan allows more';
    const allowed = formatSize(STORAGE_BYTES[plan]);
    super(
      `The plan ${plan} allows ${allowed} of tables, and with this there would be ${formatSize(neededBytes)}: ${way}`,
    );
  }
}

/** A table that holds its own rows cannot be unlinked. */
export class NotLinkedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'table_not_linked';

  constructor(name: string) {
    super(`The table ${name} is not linked to files: delete it with table drop`);
  }
}

/** As many uploads are under way as may be, of this account or of all. */
export class UploadsBusyError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'uploads_busy';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super(
      'Too many uploads are under way for this account to begin another (MAX_UPLOADS): try again when one has ended',
    );
  }
}
