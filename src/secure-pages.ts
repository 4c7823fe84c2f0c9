import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What the pages may load: their own files, pictures in their style sheet, and this service. */
const SOURCES = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const STYLE = /<style>(.*?)<\/style>|\sstyle="([^"]*)"/gs;

/**
 * Adds security headers to pages for people. For routes that are added after the call.
 *
 * @param path of the pages, and of all files below it.
 * @param origins of other servers that the pages may call.
 */
export function securePages(fastify: FastifyInstance, path: string, origins: readonly string[]): void {
  const addHeaders = async (_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    reply.headers({
      'content-security-policy': policyOf(typeof payload === 'string' ? payload : '', origins),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    return payload;
  };
  fastify.addHook('onRoute', (route) => {
    // First of all: compression makes a stream of the text.
    if (route.url === path || route.url.startsWith(`${path}/`)) route.onSend = [addHeaders, route.onSend ?? []].flat();
  });
}

/** Styles that stand in a page itself are allowed by their digests; scripts that do are not. */
function policyOf(page: string, origins: readonly string[]): string {
  const digests = [...page.matchAll(STYLE)].map(([, block, attribute]) => digestOf(block ?? attribute ?? ''));
  const styles = ["style-src 'self'", ...(digests.length > 0 ? ["'unsafe-hashes'", ...digests] : [])];
  return [...SOURCES, styles.join(' '), ["connect-src 'self'", ...origins].join(' ')].join('; ');
}

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
