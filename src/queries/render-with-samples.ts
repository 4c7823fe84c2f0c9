import type { Parameter } from './parameter.js';
import { parseTemplate } from './parse-template.js';
import { parametersOf, type RenderedSql, substituteParameters } from './substitute-parameters.js';

/** A text with values that its parameters could have. */
export interface SampledSql extends Omit<RenderedSql, 'parameters'> {
  /**
   * Offset of the first unknown value that stands for syntax, such as a name or condition. Whether
   * the text is SQL from there on depends on the values of a run.
   */
  readonly knownUntil: number;
}

/** A value that fits anywhere in a literal; in code it is a name. */
const UNKNOWN = 'x';

/**
 * Replaces each parameter by its default, or else by a value of its type.
 *
 * @throws {InvalidParameterError, UnusableSqlError}
 */
export function renderWithSamples(sql: string, declared: readonly Parameter[]): SampledSql {
  const parameters = parametersOf(sql, declared);
  const samples = new Map(parameters.map((parameter) => [parameter.key, sampleOf(parameter)]));
  const given = Object.fromEntries([...samples].map(([key, sample]) => [key, sample ?? UNKNOWN]));
  const { sql: rendered, replacements } = substituteParameters(sql, declared, given);
  const regions = parseTemplate(sql).flatMap((part) => (part.kind === 'placeholder' ? [part.region] : []));
  const unknown = replacements.find(({ key }, index) => regions[index] === 'code' && samples.get(key) === undefined);
  return { sql: rendered, replacements, knownUntil: unknown?.offset ?? Number.POSITIVE_INFINITY };
}

/** Nothing for a text that can be anything, also with an empty default. */
function sampleOf({ type, defaultValue, enumOptions }: Parameter): string | undefined {
  if (defaultValue) return defaultValue;
  switch (type) {
    case 'number':
      return '1';
    case 'datetime':
      return '2026-01-01';
    case 'enum':
    case 'text':
      return enumOptions[0];
  }
}
