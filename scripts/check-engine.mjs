// `npm ci` runs this last: npm does not report that the engine's addon, an option, is missing.
const platform = `${process.platform}-${process.arch}`;
try {
  await import('@duckdb/node-bindings');
} catch (error) {
  console.error(
    `The engine cannot be loaded: ${String(error.message).split('\n')[0]}\n` +
      `Eider requires the package @duckdb/node-bindings-${platform}, which exists for linux-x64 and linux-arm64 with glibc.\n` +
      'Install again with optional dependencies (npm ci --include=optional), from a registry that offers this package.',
  );
  process.exitCode = 1;
}
