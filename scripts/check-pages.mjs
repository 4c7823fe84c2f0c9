// Opens the API pages of the single executable in Chromium: they must show every operation and send
// a request, with no error and nothing that their Content-Security-Policy forbids.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const KEY = 'key-of-check-pages';
const EXECUTABLE = resolve(`dist/binary/eider-linux-${process.arch}`);
const BROWSERS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];

function requireThat(holds, what) {
  if (!holds) throw new Error(`check-pages: ${what}`);
}

async function untilListening(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const { url } = JSON.parse(line);
    if (url) return url;
  }
  throw new Error('check-pages: the server has ended');
}

async function checkPages(page, url) {
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('requestfailed', (request) => errors.push(request.url()));
  const { paths } = await (await fetch(`${url}/api/openapi.json`)).json();
  const operations = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;

  await page.goto(url);
  await page
    .locator('.opblock')
    .nth(operations - 1)
    .waitFor();
  requireThat(
    (await page.locator('.opblock').count()) === operations,
    `the pages show not all of ${operations} operations`,
  );

  await page.getByRole('button', { name: 'Authorize' }).click();
  const scheme = page.locator('.auth-container').first();
  await scheme.locator('input').fill(KEY);
  await scheme.locator('button.authorize').click();
  await scheme.locator('button.btn-done').click();
  const operation = page.locator('.opblock', { hasText: '/api/v1/queries' }).first();
  await operation.locator('.opblock-summary').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const status = await operation.locator('.live-responses-table .response-col_status').last().textContent();
  requireThat(status.startsWith('200'), `a request of the pages is answered ${status}`);
  requireThat(errors.length === 0, errors.join('\n'));
  return operations;
}

const executablePath = BROWSERS.find((path) => path && existsSync(path));
requireThat(executablePath, 'install chromium-headless-shell, or set CHROMIUM_PATH');
const folder = mkdtempSync(join(tmpdir(), 'eider-pages-'));
const env = { HOME: folder, PORT: '0', BOOTSTRAP_API_KEY: KEY };
const server = spawn(EXECUTABLE, [], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid() !== 0 });
try {
  const operations = await checkPages(await browser.newPage(), await untilListening(server));
  console.log(`check-pages: Chromium ${browser.version()} shows ${operations} operations, and sends a request`);
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(folder, { recursive: true });
}
