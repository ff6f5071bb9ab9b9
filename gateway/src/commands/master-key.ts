import { existsSync } from 'node:fs';
import { readConfig } from '../config/config.ts';
import { systemClock } from '../kit/clock.ts';
import { nameOfSecret, type Secret } from '../kit/secret.ts';
import { openSeal } from '../operations/master-key.ts';
import { formatRing, newMasterKey, readKeys, writeKeyFile } from '../operations/master-key-file.ts';
import {
  dropMasterKey,
  type KeyStore,
  type ListedKey,
  listMasterKeys,
  rotateMasterKey,
} from '../operations/rotate-master-key.ts';
import { withDatabase } from './with-database.ts';

const pauseMs = 500;
const patienceMs = 60_000;

function storeOf(source: Secret): KeyStore {
  return {
    name: nameOfSecret(source),
    read: () => readKeys(source),
    write: typeof source === 'string' ? (ring) => writeKeyFile(source, ring) : null,
  };
}

/** Lists the master keys, and how many values each holds. Returns the exit code. */
export async function showMasterKeys(
  env: NodeJS.ProcessEnv,
  { json = false }: { json?: boolean },
): Promise<number> {
  const keys = await withDatabase(env, async (db, { masterKey: source }) => {
    await openSeal(db, source);
    return await listMasterKeys(db, storeOf(source));
  });
  process.stdout.write(json ? `${JSON.stringify(keys)}\n` : keys.map(lineOf).join(''));
  return 0;
}

function lineOf({ id, state, since, here, values }: ListedKey): string {
  const held = values.map((use) => `${use.values} in ${use.table}.${use.column}`);
  const total = values.reduce((sum, use) => sum + use.values, 0);
  const dated = since === null ? '' : ` since ${since.toISOString()}`;
  const missing = here || state === 'dropped' ? '' : ', not here';
  return `${id}  ${state}${dated}${missing}: ${total} values${total > 0 ? ` (${held.join(', ')})` : ''}\n`;
}

/** Makes a new master key and seals everything anew, beside running gateways. Returns the exit code. */
export async function rotateMasterKeys(env: NodeJS.ProcessEnv): Promise<number> {
  await withDatabase(env, async (db, { masterKey: source }) => {
    await openSeal(db, source);
    const onProgress = countLine('values are sealed anew');
    const { id, sealed, unused } = await rotateMasterKey({
      db,
      store: storeOf(source),
      now: systemClock(),
      report: (line) => process.stderr.write(`${line}\n`),
      onProgress,
      pause: () => new Promise((resolve) => setTimeout(resolve, pauseMs)),
      patience: patienceMs / pauseMs,
    });
    process.stdout.write(`Every value is sealed with ${id}; this run sealed ${sealed} of them.\n`);
    for (const old of unused) {
      process.stdout.write(
        `No value needs ${old} any more, but backups until now do. Keep a copy for as long as them, then: florin master-key drop ${old}\n`,
      );
    }
  });
  return 0;
}

/** Shows a number on a terminal in one line that is updated, and elsewhere in a line for each thousand. */
function countLine(what: string): (count: number) => void {
  let shown = 0;
  const { isTTY } = process.stderr;
  return (count) => {
    if (count - shown < (isTTY ? 1 : 1_000)) return;
    shown = count;
    process.stderr.write(isTTY ? `\r\u001b[K${count} ${what}` : `${count} ${what}\n`);
  };
}

/** Drops a master key that no value needs. Returns the exit code. */
export async function dropMasterKeys(env: NodeJS.ProcessEnv, id: string): Promise<number> {
  await withDatabase(env, async (db, { masterKey: source }) => {
    await openSeal(db, source);
    await dropMasterKey(db, storeOf(source), id, systemClock());
  });
  process.stdout.write(`${id} is dropped. Backups from before the rotation still need it.\n`);
  return 0;
}

/** Prints the master keys with a new one before them, for a store that Florin does not write to. Returns the exit code. */
export async function printNewMasterKey(env: NodeJS.ProcessEnv): Promise<number> {
  const { masterKey: source } = readConfig(env);
  const isThere = typeof source !== 'string' || existsSync(source);
  const ring = isThere ? await readKeys(source) : [];
  process.stdout.write(formatRing([newMasterKey(), ...ring]));
  return 0;
}
