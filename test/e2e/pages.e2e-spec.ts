import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';

/** The sources of each directive of a Content-Security-Policy. */
function parsePolicy(header: string | null): Map<string, string[]> {
  return new Map(
    (header ?? '').split('; ').map((directive): [string, string[]] => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

const digestOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('pages for people', () => {
  let server: TestServer;
  let proxied: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
    proxied = await TestServer.start({ PUBLIC_URL: 'https://data.example.org' });
  });
  afterAll(async () => {
    await proxied.stop();
    await stopWithoutLeaks(server);
  });

  it.each(['/', '/api', '/api/', '/?a=b'])('are where %s leads, without a key', async (path) => {
    const answer = await fetch(`${server.url}${path}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/api/docs']);
    const there = await fetch(`${server.url}${path}`);
    expect(there.status).toBe(200);
    expect(await there.text()).toContain('<title>Eider API</title>');
  });

  it('may call the service by its public address', async () => {
    const page = await fetch(`${proxied.url}/api/docs`);
    const policy = parsePolicy(page.headers.get('content-security-policy'));
    expect(policy.get('connect-src')).toEqual(["'self'", 'https://data.example.org']);
  });

  describe.each(['/api/docs', '/api/docs/', '/api/docs/index.html'])('%s', (path) => {
    let page: string;
    let policy: Map<string, string[]>;

    beforeAll(async () => {
      const answer = await fetch(`${server.url}${path}`);
      page = await answer.text();
      policy = parsePolicy(answer.headers.get('content-security-policy'));
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
    });

    it('may load its own files alone, and stand in no frame', () => {
      expect(policy.get('default-src')).toEqual(["'none'"]);
      expect(policy.get('script-src')).toEqual(["'self'"]);
      expect(policy.get('connect-src')).toEqual(["'self'"]);
      for (const name of ['base-uri', 'form-action', 'frame-ancestors']) expect(policy.get(name)).toEqual(["'none'"]);
      expect([...policy.values()].flat()).not.toContain("'unsafe-inline'");
      expect([...policy.values()].flat()).not.toContain("'unsafe-eval'");
    });

    it('has no script of its own', () => {
      const scripts = [...page.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)];
      expect(scripts.length).toBeGreaterThan(0);
      for (const [, attributes, text] of scripts) {
        expect(attributes).toMatch(/^ src="\.\/[\w/.-]+"$/);
        expect(text?.trim()).toBe('');
      }
      expect(page).not.toMatch(/\son\w+\s*=|javascript:/i);
    });

    it('has only the styles that its policy allows', () => {
      const blocks = [...page.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, text = '']) => text);
      const attributes = [...page.matchAll(/style="([^"]*)"/g)].map(([, text = '']) => text);
      expect(blocks.length).toBeGreaterThan(0);
      expect(policy.get('style-src')).toEqual(expect.arrayContaining([...blocks, ...attributes].map(digestOf)));
    });

    it('finds the files that it loads', async () => {
      const { origin } = new URL(server.url);
      const addresses = [...page.matchAll(/(?:src|href)="(\.[^"]*)"/g)].map(([, uri = '']) => uri);
      expect(addresses.length).toBeGreaterThan(3);
      for (const uri of addresses) {
        const base = path === '/api/docs/index.html' ? '/api/docs' : path;
        const answer = await fetch(new URL(uri, `${origin}${base}`));
        expect([uri, answer.status]).toEqual([uri, 200]);
        expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';");
        await answer.arrayBuffer();
      }
    });
  });

  it('are sent compressed', async () => {
    const answer = await fetch(`${server.url}/api/docs`, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-security-policy')).toContain('sha256-');
    await answer.text();
  });

  it('are the only answers that a browser could take for a page', async () => {
    for (const path of ['/api/docs', '/health/live', '/nothing', '/api/v1/queries']) {
      const answer = await fetch(`${server.url}${path}`);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      await answer.text();
    }
  });
});
