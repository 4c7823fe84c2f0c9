/**
 * The `Content-Disposition` of an answer that browsers and `curl -OJ` keep as a file (RFC 6266).
 *
 * @param name as the client chose it; characters that file names cannot have become `_`.
 * @param extension with its dot; added if the name has another one.
 */
export function contentDisposition(name: string, extension: string): string {
  const safe =
    name
      .toWellFormed()
      .replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '_')
      .slice(0, MAX_LENGTH) || 'result';
  const file = safe.toLowerCase().endsWith(extension) ? safe : `${safe}${extension}`;
  const ascii = file.replaceAll(/[^\x20-\x7e]/g, '_');
  const encoded = encodeURIComponent(file.toWellFormed()).replaceAll(/['()*]/g, percentEncode);
  return ascii === file
    ? `attachment; filename="${file}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

const MAX_LENGTH = 200;

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
