import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { codeOf } from '../../kit/db/system-errors.ts';
import { syncDirectory } from '../backup/places/directory.ts';

/** What an upgrade does, one after the other. It is written down before it is begun, so that a kill leaves it to be read. */
export const steps = [
  'checking',
  'keeping',
  'stopping',
  'backing-up',
  'installing',
  'trying',
  'serving',
] as const;
export type Step = (typeof steps)[number];

export type UpgradeState = {
  step: Step;
  /** Set once it goes back: why. `step` is then the last one that was begun. */
  backBecause: string | null;
  from: string;
  to: string;
  /** The process that works on it. */
  pid: number;
};

/**
 * Where an upgrade keeps its files: beside the directory of the data, whose user could else change what root installs.
 * `backups` alone belongs to that user.
 */
export function upgradePlaces(dataDir: string) {
  const folder = `${resolve(dataDir)}-upgrade`;
  const backups = join(folder, 'backup');
  return {
    folder,
    backups,
    backup: join(backups, 'before.backup'),
    state: join(folder, 'upgrade.json'),
    log: join(folder, 'upgrade.log'),
    /** The package to be installed, what is in it, and the package that was installed before. */
    next: join(folder, 'next.deb'),
    unpacked: join(folder, 'next'),
    before: join(folder, 'before.deb'),
  };
}

/** Makes the folder where the user of the data may read, whatever the umask is. */
export async function makeUpgradeFolder(dataDir: string): Promise<void> {
  const { folder } = upgradePlaces(dataDir);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}

/** The upgrade that is under way, or was left by a kill; null: there is none. */
export async function readUpgrade(dataDir: string): Promise<UpgradeState | null> {
  const text = await readFile(upgradePlaces(dataDir).state, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as UpgradeState);
}

/** Writes the state down, whole or not at all, so that it is there after a power cut. The user of the data may read it. */
export async function writeUpgrade(dataDir: string, state: UpgradeState): Promise<void> {
  const { folder, state: path } = upgradePlaces(dataDir);
  await makeUpgradeFolder(dataDir);
  const file = await open(`${path}.part`, 'w');
  try {
    await file.chmod(0o644);
    await file.writeFile(`${JSON.stringify(state)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
  await syncDirectory(folder);
}

export async function endUpgrade(dataDir: string): Promise<void> {
  const { folder, state } = upgradePlaces(dataDir);
  await rm(state, { force: true });
  await syncDirectory(folder);
}

/**
 * How a gateway may start while an upgrade is under way. `serve`: as always. `try`: it answers whether it is ready, and takes
 * no request and sends nothing, so that the backup made before still has everything. `wait`: not at all.
 */
export function startDuring(state: UpgradeState | null): 'serve' | 'try' | 'wait' {
  if (state === null) return 'serve';
  const { step, backBecause } = state;
  if (step === 'installing' || (step === 'trying' && backBecause !== null)) return 'wait';
  return step === 'trying' ? 'try' : 'serve';
}
