const MAX_LENGTH = 60;

/** Text of a request as an error message quotes it: the beginning of a long one. */
export function excerpt(text: string): string {
  const characters = Array.from(text.slice(0, 2 * MAX_LENGTH + 2));
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : text;
}
