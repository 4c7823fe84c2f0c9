// Starts the echo child, reports its pid, and waits to be killed: what becomes of children whose
// server dies.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('echo.mjs', import.meta.url));
const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
child.once('message', () => process.send(child.pid));
