/** SQL text and the values of its `?`, in order. Values are text; the SQL casts them. */
export interface Sql {
  readonly text: string;
  readonly values: readonly string[];
}

type Part = Sql | readonly Sql[];

/** Composes SQL: text and values of its parts stay together, so that no value becomes syntax. */
export function sql(strings: TemplateStringsArray, ...parts: Part[]): Sql {
  let text = strings[0] ?? '';
  const values: string[] = [];
  parts.forEach((part, index) => {
    const whole = isSql(part) ? part : join(part, ', ');
    text += whole.text + (strings[index + 1] ?? '');
    values.push(...whole.values);
  });
  return { text, values };
}

function isSql(part: Part): part is Sql {
  return !Array.isArray(part);
}

/** Text that is SQL syntax already: a keyword, an operator, a number that this program computed. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

/** A name quoted as an identifier, whatever characters it holds. */
export function identifier(name: string): Sql {
  return raw(`"${name.replaceAll('"', '""')}"`);
}

/** Text quoted as a SQL string literal, where the engine takes no placeholder. */
export function quoted(text: string): Sql {
  return raw(`'${text.replaceAll("'", "''")}'`);
}

/** A placeholder with its value. */
export function bind(value: string): Sql {
  return { text: '?', values: [value] };
}

/** Parts with a separator between them. */
export function join(parts: readonly Sql[], separator: string): Sql {
  return { text: parts.map((part) => part.text).join(separator), values: parts.flatMap((part) => part.values) };
}
