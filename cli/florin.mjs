#!/usr/bin/env node
// The command line as npm installs it, also under an older Node: the program runs under the Node that came along. Plain
// JavaScript without dependencies, for that reason.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const oldest = 26;
const program = join(dirname(fileURLToPath(import.meta.url)), 'src/main.js');

/** The Node that came along, or undefined. */
function ownNode() {
  const { platform, arch } = process;
  const system = platform === 'win32' ? 'win' : platform;
  for (const name of [`node-${system}-${arch}`, `node-bin-${system}-${arch}`]) {
    try {
      const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
      const node = join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node');
      if (existsSync(node)) return node;
    } catch {
      // It is for another platform, or was left out.
    }
  }
  return undefined;
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

/** Runs the program in a process of its own, which ends with this one and whose end is this one's. */
function runUnder(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', ({ message }) =>
    fail(`The Node ${oldest} that came with Florin does not run here: ${message}`),
  );
  child.once('exit', (code, signal) => {
    // What a shell and the loader of programs answer where a library is missing, which the loader has named.
    if (code === 127)
      console.error(
        `\nThe Node ${oldest} that came with Florin does not run here. Install the library that is named above (libatomic.so.1 is ` +
          `in the package libatomic1 of Debian and Ubuntu), or Node ${oldest}.`,
      );
    process.exitCode = code ?? 1;
    if (signal) console.error(`Florin was ended by ${signal}.`);
  });
}

const isNew = Number.parseInt(process.versions.node, 10) >= oldest;
const node = isNew ? undefined : ownNode();
if (isNew) await import(pathToFileURL(program).href);
else if (node) runUnder(node);
else
  fail(
    `Florin runs on Node ${oldest}, and this is ${process.version}. One comes along for Linux, macOS on arm64 and Windows, unless ` +
      `optional packages are left out: npm install --include=optional. Elsewhere install Node ${oldest}.`,
  );
