import { createHash, randomBytes } from 'node:crypto';

const MARK = 'eider_';
const SHOWN_CHARACTERS = 4;

/** Makes the text of a new key: a mark by which leaked keys are found, then 192 random bits. */
export function generateKeyText(): string {
  return MARK + randomBytes(24).toString('base64url');
}

/** The hash of a key in the catalog. Plain SHA-256 is enough: the text is random. */
export function hashKeyText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The first characters of a key's text, too few to help in guessing the rest. */
export function keyTextPrefix(text: string): string {
  return text.slice(0, (text.startsWith(MARK) ? MARK.length : 0) + SHOWN_CHARACTERS);
}
