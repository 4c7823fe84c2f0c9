/** The start of advice of the CSV reader: how to call it otherwise, and how it was called. */
const ADVICE =
  /\n+(?:Possible (?:fixes|solution)|Column .* is being converted as type|\* |The search space used was:| +file = )/i;

/**
 * Rewrites an error of the CSV reader as one sentence for an author who only reads the table: what
 * is wrong, the line, and the file. Other messages stay as they are.
 */
export function toCsvErrorText(message: string): string {
  const sniffed = /^Error when sniffing file "(.*)"\.\n/.exec(message);
  if (sniffed) return `file "${sniffed[1]}" is not CSV of the form that the table was linked with`;
  const file = /\n +file = (.*)\n +delimiter = /.exec(message)?.[1];
  if (file === undefined) return message;
  const [text = ''] = message.split(ADVICE);
  const line = /^CSV Error on Line: (\d+)\n/.exec(text)?.[1];
  const place = line === undefined ? `file "${file}"` : `line ${line} of file "${file}"`;
  return `${place}: ${(line === undefined ? text : reasonOf(text)).replaceAll(/\.?\s*\n\s*/g, '. ').trim()}`;
}

/** The text after the line itself, which can contain anything. */
function reasonOf(text: string): string {
  const start = Math.max(text.lastIndexOf('\nError when converting column '), text.lastIndexOf('\nInvalid unicode '));
  return text.slice(start < 0 ? text.lastIndexOf('\n') : start).trim();
}
