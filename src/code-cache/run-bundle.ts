import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** A digest ends a bundle, as a comment: that of what stands before it. Another begins a file of compiled code. */
const DIGEST_LENGTH = 64;

/** A bundle of CommonJS, compiled. */
export interface CompiledBundle {
  readonly script: Script;
  /** Of its text; what was compiled of another text must never be run in its place. */
  readonly digest: string;
}

/**
 * Runs a bundle with the code that V8 compiled of it during the build, where there is such: compiling it anew takes a third of the time
 * that a child needs to start (`docs/decisions/0017-compiled-code-beside-bundles.md`).
 *
 * @param path absolute.
 */
export function runBundle(path: string): void {
  // Only its own loader maps the lines of stack traces for Node.
  if (process.sourceMapsEnabled) createRequire(path)(path);
  else execute(compileBundle(path), path);
}

/** Compiles a bundle, or takes the code from its file, which V8 refuses if it comes from another version or other flags of V8. */
export function compileBundle(path: string): CompiledBundle {
  // Bundles are ASCII, which V8 keeps in a byte each.
  const text = readFileSync(path, 'latin1');
  const digest = text.slice(-DIGEST_LENGTH);
  const cachedData = readCode(path, digest);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  return { script, digest };
}

export function execute({ script }: CompiledBundle, path: string): void {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path));
}

/** The file of compiled code beside a bundle. It begins with {@link digestOfCode}. */
export function codeFileOf(path: string): string {
  return `${path}.code`;
}

/** Tells what was compiled of a bundle with this digest, and unharmed: V8 itself runs damaged code, or dies of it. */
export function digestOfCode(code: Buffer, digestOfBundle: string): string {
  return createHash('sha256').update(digestOfBundle).update(code).digest('hex');
}

function readCode(path: string, digest: string): Buffer | undefined {
  const file = codeFileOf(path);
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  const code = bytes.subarray(DIGEST_LENGTH);
  return bytes.toString('latin1', 0, DIGEST_LENGTH) === digestOfCode(code, digest) ? code : undefined;
}
