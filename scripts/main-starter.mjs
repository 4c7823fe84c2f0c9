// Becomes `dist/main.js`. Runs on any Node, to report one that is too old.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`Eider requires Node 24 or newer, this is ${process.version}: start it with npm start or bin/eider.`);
  process.exit(1);
}
await import('./program/main.js');
