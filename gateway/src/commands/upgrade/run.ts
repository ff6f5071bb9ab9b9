import { execFile } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '../../config/config.ts';
import { systemClock } from '../../kit/clock.ts';
import { assertFile } from '../../operations/backup/path.ts';
import { makeUpgradeFolder, readUpgrade, upgradePlaces } from '../../operations/upgrading/state.ts';
import { endBySignal } from '../ending.ts';
import { sourceRoot } from '../with-database.ts';
import { debianMachine, installedProgram, unpackDebian } from './debian.ts';
import { createRunProgram, mainOf, type RunProgram } from './run-program.ts';
import { backOutOfUpgrade, beginUpgrade, resumeUpgrade, type UpgradeOrder } from './upgrade.ts';

const readyMs = 300_000;
const pollMs = 1_000;

export type UpgradeWords = {
  file?: string | undefined;
  skipCheck: boolean;
  /** Go on with an upgrade that was left, or back from it. */
  left: 'resume' | 'back' | null;
};

/**
 * Upgrades an installation of the Debian package to the package in a file, and goes back by itself where that fails. Returns the
 * exit code: 0 the new version serves. Other installations are told how they are upgraded.
 */
export async function upgrade(env: NodeJS.ProcessEnv, words: UpgradeWords): Promise<number> {
  const { file, skipCheck, left } = words;
  // Another program than the installed one goes on where that does not run.
  const otherWay = left === null ? wayOfThisInstallation(join(sourceRoot, '../..')) : null;
  if (otherWay !== null) throw new Error(otherWay);
  if (process.getuid?.() !== 0) throw new Error('An upgrade stops and installs: run it as root, by sudo');
  const { dataDir, backups } = readConfig(env);
  const { log } = upgradePlaces(dataDir);
  await makeUpgradeFolder(dataDir);
  const note = (text: string): void => appendFileSync(log, text, { mode: 0o600 });
  const say = (line: string): void => {
    note(`${systemClock().toISOString()} ${line}\n`);
    process.stdout.write(`${line}\n`);
  };
  // A terminal that is closed does not end it.
  process.on('SIGHUP', () => {});
  process.stdout.on('error', () => {});
  const run: RunProgram = async (program, command) => {
    const ran = await createRunProgram(env, dataDir)(program, command);
    if (command[0] !== 'health')
      note(`florin ${command.join(' ')} ended with ${ran.code}\n${ran.errors}${ran.output}`);
    return ran;
  };
  const ending = endBySignal();
  const order: UpgradeOrder = {
    ...{ dataDir, skipCheck, say, readyMs, pollMs, hasPlace: backups !== null },
    ...{ machine: debianMachine({ dataDir, run, say }), signal: ending.signal },
  };
  if (left === 'resume') return await resumeUpgrade(order);
  if (left === 'back') return await backOutOfUpgrade(order);
  if (file === undefined) throw new Error('Name the package of the new version: florin_VERSION_amd64.deb');
  return await beginUpgrade(order, file);
}

/** How an installation of another kind is upgraded; null: by this command. */
export function wayOfThisInstallation(program: string): string | null {
  const { KUBERNETES_SERVICE_HOST: cluster } = process.env;
  if (program === installedProgram && existsSync('/var/lib/dpkg/info/florin.list')) return null;
  const refusal = 'This command upgrades the Debian package.';
  if (cluster !== undefined) return `${refusal} In a cluster: docs/kubernetes.md.`;
  if (['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file)))
    return `${refusal} In a container: run install.sh --compose of the new release on its machine.`;
  if (existsSync(join(program, '.git')))
    return `${refusal} In a clone: make a backup (florin backup FILE), stop, git pull, npm start.`;
  if (program.includes('/node_modules/'))
    return `${refusal} With npm: make a backup (florin backup FILE), stop, npm install the new florin-….tgz, start.`;
  return `${refusal} Here: make a backup (florin backup FILE), stop, unpack the new release beside this one, start that.`;
}

/**
 * Runs the rehearsal of another version on this installation's database: of a Debian package, an archive of the program, or a folder of one.
 * Returns the exit code of `florin upgrade --check` there.
 */
export async function checkOther(
  env: NodeJS.ProcessEnv,
  { file, json }: { file: string; json: boolean },
): Promise<number> {
  const { dataDir } = readConfig(env);
  if (await readUpgrade(dataDir)) throw new Error('An upgrade is under way');
  const { unpacked } = upgradePlaces(dataDir);
  await makeUpgradeFolder(dataDir);
  const path = resolve(file);
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false;
  try {
    const program = isFolder ? path : await unpack(path, unpacked);
    if (mainOf(program) === undefined) throw new Error(`There is no program of Florin in ${file}`);
    const words = ['upgrade', '--check', ...(json ? ['--json'] : [])];
    const { code, output, errors } = await createRunProgram(env, dataDir)(program, words);
    process.stderr.write(errors);
    process.stdout.write(output);
    return code;
  } finally {
    if (!isFolder) await rm(unpacked, { recursive: true, force: true });
  }
}

async function unpack(file: string, folder: string): Promise<string> {
  await assertFile(file);
  if (file.endsWith('.deb')) return await unpackDebian(file, folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await promisify(execFile)('tar', ['-xzf', file, '-C', folder, '--strip-components=1', '--no-same-owner']);
  return folder;
}
