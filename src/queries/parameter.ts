/** What a parameter's values are checked to be. */
export const PARAMETER_TYPES = ['text', 'number', 'datetime', 'enum'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** A parameter of a saved query: what `{{key}}` in its text stands for. */
export interface Parameter {
  readonly key: string;
  readonly type: ParameterType;
  /** Taken when an execution gives no value; without it, each execution must. */
  readonly defaultValue?: string;
  /** For `enum`: the values it can have; any, if the list is empty. */
  readonly enumOptions: readonly string[];
  readonly description?: string;
}

/** Values as a caller gives them, by parameter name: unchecked. */
export type GivenParameters = Readonly<Record<string, unknown>>;

/** The values of an execution, by parameter name, as text; a list's values are joined by commas. */
export type ParameterValues = Readonly<Record<string, string>>;

/** A parameter that stands in the text only: it is text, and has no default. */
export function undeclaredParameter(key: string): Parameter {
  return { key, type: 'text', enumOptions: [] };
}
