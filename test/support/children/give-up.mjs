// A child that cannot start.
process.stderr.write('no engine here');
process.exitCode = 7;
process.disconnect();
