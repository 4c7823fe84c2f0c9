import { type LinkedFiles, partitionNames, partitionValue } from '../../../../storage/linked/linked-files.js';
import type { LinkOptions } from '../../../../storage/linked/linked-text.js';
import type { ScalarName } from '../../../../types/scalar-types.js';
import type { TableColumn } from '../../../../types/table-column.js';
import { recordOf } from '../../../../types/type-of.js';
import { excerpt } from '../content-error.js';
import { TypeInference } from '../values/infer-type.js';
import { valueRule } from '../values/value-rule.js';
import { LinkedFileError } from './linked-file-error.js';

/** Types that are found in the names of folders; whatever else stands there is text. */
const FOUND: ReadonlySet<ScalarName> = new Set(['BIGINT', 'DATE', 'TIMESTAMP']);

/**
 * The columns that stand in the names of folders, with the types of their values: as exact as those
 * of uploads, so that `code=007` is text.
 *
 * @throws LinkedFileError if a value does not fit the type that the operator gives.
 */
export function partitionColumns(found: LinkedFiles, { columns = [], isAllText = false }: LinkOptions): TableColumn[] {
  return partitionNames(found).map((name) => {
    const given = columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
    if (given) return { ...checked(given, name, found), name };
    return { name, type: { kind: 'scalar', name: isAllText ? 'VARCHAR' : findType(found, name) }, nullable: true };
  });
}

function findType(found: LinkedFiles, name: string): ScalarName {
  const inference = new TypeInference();
  for (const bytes of valuesOf(found, name).values()) inference.add(bytes, 0, bytes.length);
  const type = inference.type();
  return type.kind === 'scalar' && FOUND.has(type.name) ? type.name : 'VARCHAR';
}

function checked(column: TableColumn, name: string, found: LinkedFiles): TableColumn {
  const [first] = found.files;
  if (column.type.kind === 'scalar' && recordOf(column.type).upload?.fromText)
    throw new LinkedFileError(first?.relativePath ?? '', `the name of a folder can be no value of column ${name}`);
  const rule = valueRule(column);
  for (const [relativePath, bytes] of valuesOf(found, name))
    if (!rule.accepts(bytes, 0, bytes.length))
      throw new LinkedFileError(
        relativePath,
        `column ${name} takes ${rule.expected}, not '${excerpt(bytes, 0, bytes.length)}'`,
      );
  return column;
}

/** The values of a column that are not NULL, each with a file that has it. */
function valuesOf({ files }: LinkedFiles, name: string): Map<string, Buffer> {
  const values = new Map<string, string>();
  for (const file of files) {
    const value = partitionValue(file, name);
    if (value !== undefined && !values.has(value)) values.set(value, file.relativePath);
  }
  return new Map([...values].map(([value, relativePath]) => [relativePath, Buffer.from(value)]));
}
