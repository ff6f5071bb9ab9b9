// Which packages are installed when. `npm start` needs only the base; the rest comes when it is asked for first, and
// stays from then on. Plain JavaScript, like install.mjs, which uses it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Workspaces that the base goes without, by the part that brings them. Tests need all of them, and the tools. */
const later = { chain: ['demo-chain'], tests: ['demo-chain', 'examples/receivers'] };

// No script of any package runs: install-scripts.mjs runs those that may. Not `npm ci`: it refuses a lock file that
// misses a package of another platform, as one does that was made from a registry without it. The locked versions and
// hashes hold for `npm install` alike.
const options = [
  '--ignore-scripts',
  '--no-save',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=error',
];

/** What npm is called with to install these parts beside the base. */
export function npmArguments(root, parts) {
  if (parts.includes('tests')) return ['install', ...options, '--include=dev'];
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const wanted = parts.flatMap((part) => later[part]);
  const left = Object.values(later)
    .flat()
    .filter((workspace) => !wanted.includes(workspace));
  const chosen = workspaces.filter((workspace) => !left.includes(workspace));
  const named = chosen.map((workspace) => `--workspace=${workspace}`);
  return ['install', ...options, '--omit=dev', '--include-workspace-root', ...named];
}

/** Identifies an up-to-date install: the locked versions and the platform they were chosen for. */
function fingerprint(root) {
  const lockFile = join(root, 'package-lock.json');
  const locked = existsSync(lockFile) ? lockFile : join(root, 'package.json');
  const hash = createHash('sha256').update(readFileSync(locked)).digest('hex');
  return `${hash} ${process.platform}-${process.arch}`;
}

const stampOf = (root) => join(root, 'node_modules', '.florin-installed');

/** What is installed: whether it is what is locked now, and its parts. Undefined: nothing that is known. */
export function readStamp(root) {
  if (!existsSync(stampOf(root))) return undefined;
  const [print, parts = ''] = readFileSync(stampOf(root), 'utf8').split('\n');
  return {
    isCurrent: print === fingerprint(root),
    parts: parts.split(' ').filter((part) => Object.hasOwn(later, part)),
  };
}

export function writeStamp(root, parts) {
  writeFileSync(stampOf(root), `${fingerprint(root)}\n${parts.join(' ')}\n`);
}

/**
 * The parts of an install that somebody made by hand, with or without the tools: npm's own record of what it
 * installed agrees with the lock file. Undefined: there is none.
 */
export function partsByHand(root) {
  const record = join(root, 'node_modules', '.package-lock.json');
  const lockFile = join(root, 'package-lock.json');
  if (!existsSync(record) || !existsSync(lockFile)) return undefined;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const locked = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages);
  const isThere = ([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    // An optional package may be for another platform.
    return found ? found.version === wanted.version : wanted.optional === true || wanted.devOptional === true;
  };
  const isTool = ([, { dev, devOptional }]) => dev === true || devOptional === true;
  if (locked.every(isThere)) return ['chain', 'tests'];
  return locked.every((entry) => isTool(entry) || isThere(entry)) ? ['chain'] : undefined;
}
