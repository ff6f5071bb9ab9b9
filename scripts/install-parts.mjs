// Which packages are installed when. `npm start` needs only the base, and a Node where that of the machine does not do; the
// other parts are installed at first use and stay. Plain JavaScript, like install.mjs, which uses it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Workspaces that are not in the base, by the part that installs them. Tests need all of them, and the tools. The packages
 * that bring Node are those of the root, which has no other ones that are not tools.
 */
const later = { node: [], chain: ['demo-chain'], tests: ['demo-chain', 'examples/receivers'] };

// No script of any package runs: install-scripts.mjs runs the allowed ones. Not `npm ci`: it refuses a lock file that lacks a
// package of another platform, which happens with a registry that lacks it. `npm install` keeps to the locked versions and
// hashes as well.
const options = [
  '--ignore-scripts',
  '--no-save',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=error',
];

/** The arguments of npm to install these parts with the base. */
export function npmArguments(root, parts) {
  if (parts.includes('tests')) return ['install', ...options, '--include=dev'];
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const wanted = parts.flatMap((part) => later[part]);
  const left = Object.values(later)
    .flat()
    .filter((workspace) => !wanted.includes(workspace));
  const chosen = workspaces.filter((workspace) => !left.includes(workspace));
  const named = chosen.map((workspace) => `--workspace=${workspace}`);
  const ofRoot = parts.includes('node') ? ['--include-workspace-root'] : [];
  // Libraries name tools such as TypeScript as companions that may be missing. Else npm would bring those with them.
  return ['install', ...options, '--omit=dev', '--legacy-peer-deps', ...ofRoot, ...named];
}

/** Whether the Node of this version can stand in for the one that the packages bring: the same line, and not older. */
export function canStandIn(root, version) {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [brought = version] = Object.values(optionalDependencies);
  const [major, minor] = version.split('.').map(Number);
  const [ownMajor, ownMinor] = brought.split('.').map(Number);
  return major === ownMajor && minor >= ownMinor;
}

/** Identifies an up-to-date install: the locked versions and the platform they were chosen for. */
function fingerprint(root) {
  const lockFile = join(root, 'package-lock.json');
  const locked = existsSync(lockFile) ? lockFile : join(root, 'package.json');
  const hash = createHash('sha256').update(readFileSync(locked)).digest('hex');
  return `${hash} ${process.platform}-${process.arch}`;
}

const stampOf = (root) => join(root, 'node_modules', '.florin-installed');

/** The installed parts, and whether they are up to date. Undefined: there is no record. */
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
 * The parts of an install that was made by hand, with or without the tools: npm's own record of it agrees with the lock
 * file. Undefined: there is none.
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
  if (locked.every(isThere)) return ['node', 'chain', 'tests'];
  return locked.every((entry) => isTool(entry) || isThere(entry)) ? ['node', 'chain'] : undefined;
}
