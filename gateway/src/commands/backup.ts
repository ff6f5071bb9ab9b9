import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import { systemClock } from '../kit/clock.ts';
import { findCluster } from '../kit/postgres/postgres-cluster.ts';
import { nameOfSecret } from '../kit/secret.ts';
import { assertNewFile } from '../operations/backup/path.ts';
import { megabytes, progressLine, seconds } from '../operations/backup/progress.ts';
import { relationCount } from '../operations/backup/tables.ts';
import { type Written, writeBackup } from '../operations/backup/write.ts';
import { endBySignal } from './ending.ts';
import { sourceRoot, withDatabaseAsIs } from './with-database.ts';

/**
 * Writes the whole database into a new file, beside a running gateway or without one, and prints what it wrote: for
 * people, or as one JSON object. No migration is applied, so a backup can be made before an upgrade. Returns the exit
 * code: after a signal it leaves no file, and the code is that of the signal.
 */
export async function backup(
  env: NodeJS.ProcessEnv,
  { file, json = false }: { file: string; json?: boolean },
): Promise<number> {
  const config = readConfig(env);
  const path = resolve(file);
  const ending = endBySignal();
  const began = performance.now();
  const progress = progressLine('Backing up:');
  try {
    await assertNewFile(path);
    await assertDatabase(config);
    const florin = await florinVersion();
    const written = await withDatabaseAsIs(config, async (db) => {
      if ((await relationCount(db)) === 0)
        throw new Error('The database is empty: there is nothing to back up');
      const order = { file: path, florin, now: systemClock(), onProgress: progress.show };
      return await writeBackup(db, { ...order, signal: ending.signal });
    });
    progress.end();
    const size = (await stat(path)).size;
    const report = {
      ...reportOf(written),
      file: path,
      bytes: size,
      master_key_file: nameOfSecret(config.masterKey),
    };
    if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
    else process.stdout.write(describe(report, performance.now() - began));
    return 0;
  } catch (error) {
    const code = ending.code();
    if (code === null) throw error;
    return code;
  } finally {
    progress.end();
    ending.restore();
  }
}

/** The version of this build, from its package.json. */
async function florinVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(sourceRoot, '../package.json'), 'utf8'));
  return version;
}

async function assertDatabase({ database, dataDir }: Config): Promise<void> {
  if (database.kind === 'embedded' && !(await findCluster(dataDir))) {
    throw new Error(`There is no database in ${dataDir}: set DATA_DIR to its directory, or DATABASE_URL`);
  }
}

function reportOf({ manifest, totals }: Written) {
  return {
    created_at: manifest.created_at,
    florin: manifest.florin,
    tables: totals.tables.length,
    rows: totals.tables.reduce((sum, { rows }) => sum + rows, 0),
  };
}

type Report = ReturnType<typeof reportOf> & { file: string; bytes: number; master_key_file: string };

function describe({ file, tables, rows, bytes, master_key_file: keyFile }: Report, tookMs: number): string {
  return `${file}: ${tables} tables, ${rows.toLocaleString('en')} rows, ${megabytes(bytes)}, in ${seconds(tookMs)}.
The master key is not in it. Keep a copy of ${keyFile}
in another place than the backup: it is of no use without the key, and whoever has both has every secret.
`;
}
