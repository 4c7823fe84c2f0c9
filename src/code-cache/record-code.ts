import { renameSync, writeFileSync } from 'node:fs';
import { codeFileOf, compileBundle, digestOfCode, execute } from './run-bundle.js';

// Run by the build, with a bundle and the arguments for it: runs the bundle and, when the process ends, writes what V8 has compiled of it by
// then. A child ends when it has come to wait for its orders, as nobody is there who could send some.
const [node = '', , path = '', ...args] = process.argv;
process.argv = [node, path, ...args];
const bundle = compileBundle(path);
// Nothing ever comes from the build, but its end: what it has started does not outlive it.
process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume();
if ('unref' in process.stdin) process.stdin.unref();
process.on('exit', () => {
  const file = codeFileOf(path);
  const code = bundle.script.createCachedData();
  writeFileSync(`${file}.tmp`, Buffer.concat([Buffer.from(digestOfCode(code, bundle.digest)), code]), { flush: true });
  renameSync(`${file}.tmp`, file);
});
execute(bundle, path);
