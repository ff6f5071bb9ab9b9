import { readFile, stat } from 'node:fs/promises';
import type { Config } from '../../../config/config.ts';
import { settingOf } from '../../../config/secrets.ts';
import { codeOf } from '../../../kit/db/system-errors.ts';
import { nameOfSecret, readSecretBytes } from '../../../kit/secret.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

const othersMay = 0o077;
/** The group of a service may look into its directory; nobody else. */
const strangersMay = 0o007;

/** Who may read the master key and the data directory. */
export const checkFiles: Check = async ({ config, db }) => {
  const isNew = db === null && config.database.kind === 'embedded';
  const findings = [...(await lookAtKey(config, isNew)), ...(await lookAtData(config))];
  return findings.length > 0 ? findings : [found('files', 'ok')];
};

async function lookAtKey({ masterKey }: Config, isNew: boolean): Promise<Finding[]> {
  const name = `${settingOf('MASTER_KEY', masterKey)} ${nameOfSecret(masterKey)}`;
  try {
    if (typeof masterKey !== 'string') {
      await readSecretBytes(masterKey);
      return [];
    }
    await readFile(masterKey);
    const { mode } = await stat(masterKey);
    return isOpen(mode, othersMay) ? [found('files', 'key_open', `${name} has mode ${octal(mode)}`)] : [];
  } catch (error) {
    if (isNew && codeOf(error) === 'ENOENT') return [found('files', 'not_yet', name)];
    return [found('files', 'key_missing', `${name}: ${codeOf(error) || (error as Error).message}`)];
  }
}

async function lookAtData({ dataDir }: Config): Promise<Finding[]> {
  const name = `DATA_DIR ${dataDir}`;
  const directory = await stat(dataDir).catch(() => null);
  if (!directory) return [found('files', 'not_yet', name)];
  return isOpen(directory.mode, strangersMay)
    ? [found('files', 'data_open', `${name} has mode ${octal(directory.mode)}`)]
    : [];
}

/** Windows has no such modes. */
const isOpen = (mode: number, bits: number) => process.platform !== 'win32' && (mode & bits) !== 0;
const octal = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');
