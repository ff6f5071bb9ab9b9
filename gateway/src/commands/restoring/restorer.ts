import type { BackupsConfig } from '../../config/backups.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import type { Migration } from '../../kit/db/migrate.ts';
import { codeOf } from '../../kit/db/system-errors.ts';
import { nameOfSecret, type Secret } from '../../kit/secret.ts';
import { type BackupPlace, openPlace } from '../../operations/backup/places/place.ts';
import type { Progress } from '../../operations/backup/progress.ts';
import type {
  PlacedBackups,
  RestoreOrder,
  Restorer,
  RestoreState,
} from '../../operations/first-run/restorer.ts';
import { keysForBackup } from '../../operations/master-key.ts';
import { type KeyRing, parseRing, readKeys, writeKeyFile } from '../../operations/master-key-file.ts';
import { openBackup } from '../backups/find.ts';
import { backupFolder } from '../backups/make.ts';
import { emptyFreshDatabase } from './empty-database.ts';
import { checkBackup, type KeysAtHand, type Restored, restoreWithin } from './restore-within.ts';

export type RestorerDeps = {
  /** The owner of the database. */
  asOwner: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
  migrations: Migration[];
  masterKey: Secret;
  /** Null: BACKUP_TO is not set. */
  backups: BackupsConfig | null;
  /** The serving role; null: the owner serves. */
  role: string | null;
  now: Clock;
  /** Throws, with what to do, where no gateway starts on what was restored, by this configuration. */
  assertServed: (tx: Tx) => Promise<void>;
  /** Called when the database is another one: what was read from it before no longer holds. */
  onRestored: () => void;
};

const lockedCode = '55P03';
/** For two minutes: the first backup of the new installation may be under way, and it reads every table. */
const lockTries = 2_400;
const lockPauseMs = 50;
const mostListed = 50;

/** Runs in the process that has the owner's connection; others call it there. */
export function createRestorer(deps: RestorerDeps): Restorer {
  let last: RestoreState | null = null;

  async function run(order: RestoreOrder, state: RestoreState): Promise<void> {
    try {
      const restored = await restoreFresh(deps, order, state);
      const { manifest, totals, audit } = restored;
      state.done = {
        ...{ created_at: manifest.created_at, florin: manifest.florin, tables: totals.tables.length },
        rows: totals.tables.reduce((sum, { rows }) => sum + rows, 0),
        faults: audit.findings.length,
      };
      state.state = 'done';
      deps.onRestored();
    } catch (error) {
      state.fault = error instanceof Error ? error.message : String(error);
      state.state = 'failed';
    }
  }

  return {
    async begin(order) {
      if (last && last.state !== 'failed') return false;
      last = { tokenHash: order.tokenHash, state: 'checking', progress: null, fault: null, done: null };
      void run(order, last);
      return true;
    },
    state: async () => last && { ...last },
    placed: async () => deps.backups && (await newestIn(openPlace(deps.backups.to))),
  };
}

async function newestIn(place: BackupPlace): Promise<PlacedBackups> {
  const files = await place.list(backupFolder);
  const names = files.map(({ path }) => path.slice(backupFolder.length + 1));
  return { place: place.name, names: names.reverse().slice(0, mostListed) };
}

async function restoreFresh(
  deps: RestorerDeps,
  { path, identities, masterKey }: RestoreOrder,
  state: RestoreState,
): Promise<Restored> {
  const given = masterKey === null ? null : givenRing(masterKey, deps.masterKey);
  const source = await openBackup(deps, path, identities);
  await checkBackup(source, deps.migrations, keysAtHand(given, deps.masterKey));
  state.state = 'loading';
  const terms = {
    ...{ source, migrations: deps.migrations, role: deps.role, by: 'the first run', now: deps.now() },
    onProgress: (progress: Progress) => {
      state.progress = { ...progress };
    },
  };
  return await withGivenKeys(given, deps.masterKey, () =>
    deps.asOwner((db) =>
      untilUnlocked(() =>
        transaction(db, async (tx) => {
          await emptyFreshDatabase(tx);
          const restored = await restoreWithin(tx, terms);
          await deps.assertServed(tx);
          return restored;
        }),
      ),
    ),
  );
}

/** The keys that a person pasted. Throws where Florin does not write the master key itself. */
function givenRing(text: string, source: Secret): KeyRing {
  if (typeof source !== 'string') {
    throw new Error(`The master key comes from ${nameOfSecret(source)}: put the key of the backup there`);
  }
  return parseRing(Buffer.from(text.trim(), 'latin1'), 'The master key that was pasted');
}

function keysAtHand(given: KeyRing | null, source: Secret): KeysAtHand {
  if (given) return { read: async () => given, name: 'the text that was pasted' };
  return { read: () => keysForBackup(source, 'the backup'), name: nameOfSecret(source) };
}

/**
 * Does `work` with the given keys in the file beside those that are there: whichever database a crash leaves, its key is in
 * the file. Afterwards the file has the keys of the database that is there.
 */
async function withGivenKeys<T>(given: KeyRing | null, source: Secret, work: () => Promise<T>): Promise<T> {
  if (!given || typeof source !== 'string') return await work();
  const before = await readKeys(source);
  const others = before.filter(({ id }) => !given.some((key) => key.id === id));
  await writeKeyFile(source, [...given, ...others]);
  // A fault leaves both: whether the commit arrived is not always known.
  const done = await work();
  await writeKeyFile(source, given);
  return done;
}

/** Tries again while somebody uses a table: the loops of the gateway do, for some milliseconds each. */
async function untilUnlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== lockedCode || tries === lockTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
    }
  }
}
