// Runs before `npm start` and `npm test`, so that a fresh clone needs no step before them. It is plain
// JavaScript without dependencies, since the Node that runs it may be an older one and nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureAccounting } from './install-accounting.mjs';
import { ensureBrowser } from './install-browser.mjs';
import { ensureFailover } from './install-failover.mjs';
import { ensureLanguages } from './install-languages.mjs';
import { canStandIn, npmArguments, partsByHand, readStamp, writeStamp } from './install-parts.mjs';
import { ensurePostgres15 } from './install-postgres.mjs';
import { ensurePromtool } from './install-prometheus.mjs';
import { runScripts } from './install-scripts.mjs';
import { ensureShops } from './install-shops.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const oldestNode = 20;
const ownNode = 26;
const nodeMajor = Number.parseInt(process.versions.node, 10);
const lockPollMs = 500;
const shownLines = 15;

/** Prints what is wrong and what to do, and ends. */
function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

/** Whether a lock is held. One whose process no longer runs belongs to an install that was killed. */
function isHeld(lockDir) {
  try {
    process.kill(Number.parseInt(readFileSync(join(lockDir, 'pid'), 'utf8'), 10), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Takes the lock: a directory that appears completely, with its owner's process number, or not at all. */
function tryLock(lockDir) {
  const own = `${lockDir}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'pid'), `${process.pid}`);
  try {
    renameSync(own, lockDir);
    return true;
  } catch {
    rmSync(own, { recursive: true, force: true });
    return false;
  }
}

/** Runs `work` while no other install of this clone runs. */
function underLock(work) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const lockDir = join(tmpdir(), `florin-install-${name}`);
  let noted = false;
  while (!tryLock(lockDir)) {
    if (!isHeld(lockDir)) {
      rmSync(lockDir, { recursive: true, force: true });
      continue;
    }
    if (!noted) console.log('Waiting for another install of this directory to finish.');
    noted = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockPollMs);
  }
  try {
    return work();
  } finally {
    rmSync(lockDir, { recursive: true, force: true });
  }
}

/** npm as it was started, with the same `node`: the one in node_modules is removed while npm installs. */
function runNpm(args) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', maxBuffer: 64_000_000 };
  if (script?.endsWith('.js')) return spawnSync(node ?? process.execPath, [script, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** The parts that this start needs beside the base. */
const asked = [
  ...(canStandIn(root, process.versions.node) ? [] : ['node']),
  ...(process.argv.includes('--with-chain') ? ['chain'] : []),
  ...(process.argv.includes('--with-tests') ? ['chain', 'tests'] : []),
];

function isUpToDate() {
  const stamp = readStamp(root);
  return stamp?.isCurrent === true && asked.every((part) => stamp.parts.includes(part));
}

/** The message for people who wait for it. */
function announcement(stamp) {
  const once = 'This happens once and takes a minute or so.';
  if (!stamp?.isCurrent && asked.includes('node'))
    return (
      'Installing the packages Florin needs: 140 MB to load, 700 MB on the disk, since a database server and Node come ' +
      `with them. ${once}`
    );
  if (!stamp?.isCurrent)
    return (
      'Installing the packages Florin needs: 85 MB to load, 500 MB on the disk, since a database server comes with ' +
      `them. ${once}`
    );
  if (asked.includes('node') && !stamp.parts.includes('node'))
    return `Installing the Node ${ownNode} that Florin runs on (once, about 60 MB).`;
  return asked.includes('tests')
    ? 'Installing the tools of the tests (once, about 150 MB).'
    : 'Installing the local chain of --chain (once, about 50 MB).';
}

/** Installs when that is needed; returns what went wrong, or undefined. */
function install() {
  if (isUpToDate()) return undefined;
  const stamp = readStamp(root);
  // A stamp that differs means other versions, or a copy from another platform.
  const byHand = stamp ? undefined : partsByHand(root);
  const isThere = byHand !== undefined && asked.every((part) => byHand.includes(part));
  const parts = isThere ? byHand : [...new Set([...(stamp?.parts ?? []), ...(byHand ?? []), ...asked])];
  if (!isThere) {
    console.log(announcement(stamp));
    const { status, stderr, error } = runNpm(npmArguments(root, parts));
    if (status !== 0) return explain(`${stderr ?? ''}${error?.message ?? ''}`);
  }
  const fault = runScripts(root);
  if (fault) return fault;
  if (nodeMajor < ownNode && !existsSync(join(root, 'node_modules', '.bin', 'node'))) {
    return (
      `Florin runs on Node ${ownNode}, which comes with its optional packages, but there is none for this ` +
      `platform (${process.platform}-${process.arch}) or they were left out. Install Node ${ownNode}, or the ` +
      'optional packages too: npm ci --include=optional'
    );
  }
  const broken = faultOfNode();
  if (broken) return broken;
  writeStamp(root, parts);
  return undefined;
}

/** Tries the installed Node: it may need a library that a small system lacks. */
function faultOfNode() {
  const node = join(root, 'node_modules', '.bin', 'node');
  if (process.platform === 'win32' || !existsSync(node)) return undefined;
  const { status, stderr, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status === 0) return undefined;
  const words = `${stderr ?? ''}${error?.message ?? ''}`.trim();
  const [, library] = /(lib[\w.+-]+\.so[.\d]*): cannot open shared object file/.exec(words) ?? [];
  const named =
    library === 'libatomic.so.1' ? ', which is in the package libatomic1 (Debian, Ubuntu) or libatomic' : '';
  const todo = library ? `Install ${library}${named}` : `Install Node ${ownNode}`;
  return `${words}\n\nThe Node ${ownNode} that comes with Florin does not run here. ${todo}, then run the same command again.`;
}

function explain(output) {
  const words = output.trim().split('\n').slice(0, shownLines).join('\n');
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output)) {
    return (
      `${words}\n\nThe package registry cannot be reached. Connect this machine to the network (or name a mirror ` +
      'with "npm config set registry"), then run the same command again.'
    );
  }
  return `${words}\n\n"npm install" failed. Correct what its output above names, then run the same command again.`;
}

/** Builds the dashboard with the Node that was just installed; without the dashboard the gateway still takes payments. */
function buildDashboard() {
  const installed = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const node = existsSync(installed) ? installed : process.execPath;
  const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' };
  const { status } = spawnSync(node, [join('scripts', 'build-dashboard.ts')], options);
  if (status !== 0)
    console.error('\nThe dashboard could not be built; its page will say so. Payments are not affected.\n');
}

if (nodeMajor < oldestNode) {
  fail(
    `Florin needs Node ${oldestNode} or later to install itself; this is ${process.version}. See https://nodejs.org.`,
  );
}
const fault = isUpToDate() ? undefined : underLock(install);
if (fault) fail(fault);
if (process.argv.includes('--with-browser')) ensureBrowser();
if (process.argv.includes('--with-postgres')) ensurePostgres15();
if (process.argv.includes('--with-prometheus')) ensurePromtool();
if (process.argv.includes('--with-accounting')) ensureAccounting();
if (process.argv.includes('--with-languages')) ensureLanguages(process.argv.includes('--with-go'));
if (process.argv.includes('--with-failover')) ensureFailover();
if (process.argv.includes('--with-shops')) ensureShops();
if (process.argv.includes('--with-dashboard')) buildDashboard();
