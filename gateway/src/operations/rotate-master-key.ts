import { commandActor, recordChange } from '../identity/audit/audit-log.ts';
import { type Database, type Reader, transaction } from '../kit/db/db.ts';
import { type Lease, leaveLease, takeLease, writeUnderLease } from '../kit/db/lease.ts';
import {
  headerBytes,
  headerOf,
  type MasterKey,
  type MasterKeys,
  type Place,
  type Seal,
  sealUnder,
} from '../kit/seal.ts';
import { type KeyState, proofOf } from './master-key.ts';
import { type KeyRing, newMasterKey } from './master-key-file.ts';
import { countUses, resealAll, resealTerms } from './reseal.ts';

/** Where the master keys of this installation are. */
export type KeyStore = {
  name: string;
  read(): Promise<KeyRing>;
  /** Null: they are kept elsewhere, and a new key is added there by hand. */
  write: ((ring: KeyRing) => Promise<void>) | null;
};

export type RotateDeps = {
  db: Database;
  store: KeyStore;
  now: Date;
  report(line: string): void;
  /** Called with how many values this run has sealed again. */
  onProgress(sealed: number): void;
  /** Waits before the processes are checked again. */
  pause(): Promise<void>;
  /** How many pauses it waits for processes that do not have the new key. */
  patience: number;
};

/**
 * The key that now seals everything, how many values this run sealed again, and the keys that no value needs any more.
 */
export type Rotated = { id: string; sealed: number; unused: string[] };

/**
 * Makes a new master key, and seals every value again under it while gateways run. Where it was interrupted, the next
 * run continues with the same key. Each step waits until every running process is ready: the key is announced when it
 * is in the file, becomes active when all processes have it, and the rotation ends when all seal with it. Throws while
 * another rotation is under way.
 */
export async function rotateMasterKey(deps: RotateDeps): Promise<Rotated> {
  const { db } = deps;
  const terms = resealTerms();
  const lease = await takeLease(db, terms);
  if (!lease)
    throw new Error(
      'Another process seals values anew: wait until it has ended, or half a minute if it died',
    );
  try {
    const { target, ring } = await chooseTarget(deps);
    await announce(db, lease, target, deps.now);
    await untilAllHave(deps, lease, target);
    await activate(deps, lease, target);
    return await sealAgain(deps, lease, { target, ring });
  } finally {
    await leaveLease(db, terms).catch(() => {});
  }
}

type KnownKey = { id: string; state: KeyState; since: Date };

async function everyKey(reader: Reader): Promise<KnownKey[]> {
  const { rows } = await reader.query<KnownKey>(
    'SELECT id, state, since FROM master_keys ORDER BY since DESC, id',
  );
  return rows;
}

type Chosen = { target: MasterKey; ring: KeyRing };

/** The key of a rotation that was interrupted; else one that an operator added to the store; else a new one. */
async function chooseTarget({ db, store, report }: RotateDeps): Promise<Chosen> {
  const ring = await store.read();
  const known = await everyKey(db);
  if (known.length === 0) throw new Error('There is no master key yet: start a gateway first');
  const announced = known.find(({ state }) => state === 'announced');
  const begun = announced && ring.find(({ id }) => id === announced.id);
  if (announced && !begun) {
    throw new Error(
      `A rotation to ${announced.id} was begun, and ${store.name} does not have it: run this where it is, or drop it`,
    );
  }
  const target = begun ?? addedByHand(ring, known) ?? (await unfinished(db, ring));
  if (target) {
    report(`Going on to the master key ${target.id}`);
    return { target, ring };
  }
  if (!store.write) {
    throw new Error(
      `${store.name} has no new master key: put what \`florin master-key new\` prints there, then run this again`,
    );
  }
  const made = newMasterKey();
  const longer: KeyRing = [made, ...ring];
  await store.write(longer);
  report(`The new master key ${made.id} is in ${store.name}`);
  return { target: made, ring: longer };
}

/** An unknown key that the store has before the active one. A key after that was in use earlier. */
function addedByHand(ring: KeyRing, known: readonly KnownKey[]): MasterKey | undefined {
  const active = known.find(({ state }) => state === 'active');
  const at = ring.findIndex(({ id }) => id === active?.id);
  return ring.slice(0, Math.max(0, at)).find((key) => !known.some(({ id }) => id === key.id));
}

/** The active key, while there are values under another one. */
async function unfinished(db: Database, ring: KeyRing): Promise<MasterKey | undefined> {
  const active = (await everyKey(db)).find(({ state }) => state === 'active');
  const key = ring.find(({ id }) => id === active?.id);
  return key && (await valuesUnderOthers(db, key)) > 0 ? key : undefined;
}

async function valuesUnderOthers(db: Database, key: MasterKey): Promise<number> {
  const header = headerOf(key);
  const others = (await countUses(db, headerBytes)).filter((use) => !use.header.equals(header));
  return others.reduce((sum, { values }) => sum + values, 0);
}

async function announce(db: Database, lease: Lease, key: MasterKey, now: Date): Promise<void> {
  await writeUnderLease(db, lease, (tx) =>
    tx.query(
      `INSERT INTO master_keys (id, state, proof, since) VALUES ($1, 'announced', $2, $3) ON CONFLICT DO NOTHING`,
      [key.id, proofOf(key), now],
    ),
  );
}

type RunningProcess = { host: string; pid: number; master_keys: string[]; sealing_key: string | null };

/** The gateways' processes that reported in the last fifteen seconds. */
async function runningProcesses(reader: Reader): Promise<RunningProcess[]> {
  const { rows } = await reader.query<RunningProcess>(
    `SELECT host, pid, master_keys, sealing_key FROM gateway_processes
     WHERE seen_at > now() - interval '15 seconds' ORDER BY host, pid`,
  );
  return rows;
}

async function untilAllHave(deps: RotateDeps, lease: Lease, { id }: MasterKey): Promise<void> {
  const { db, store, report, pause, patience } = deps;
  for (let waited = 0; ; waited++) {
    const without = (await runningProcesses(db)).filter(({ master_keys: keys }) => !keys.includes(id));
    if (without.length === 0) return;
    const names = without.map(({ host, pid }) => `${pid} on ${host}`).join(', ');
    if (waited === patience) {
      throw new Error(
        `These processes do not have the master key ${id}: ${names}. Nothing is sealed with it yet. ` +
          `Give them what is in ${store.name} (those that have it in their environment are started again), then run this again`,
      );
    }
    if (waited === 0) report(`Waiting until every process has the new key: ${names}`);
    await extendLease(db, lease);
    await pause();
  }
}

/** Extends the lease while nothing is written. */
async function extendLease(db: Database, lease: Lease): Promise<void> {
  await writeUnderLease(db, lease, async () => {});
}

async function activate({ db, now, report }: RotateDeps, lease: Lease, { id }: MasterKey): Promise<void> {
  await writeUnderLease(db, lease, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `UPDATE master_keys SET state = 'old' WHERE state = 'active' AND id <> $1 RETURNING id`,
      [id],
    );
    if (rows.length === 0) return;
    await tx.query(`UPDATE master_keys SET state = 'active' WHERE id = $1 AND state <> 'dropped'`, [id]);
    const change = {
      action: 'rotated the master key',
      subject: { kind: 'master key', id },
      before: { active: rows[0]?.id },
      after: { active: id },
    };
    await recordChange(tx, commandActor, change, now);
  });
  report(`New values are sealed with ${id}`);
}

async function sealAgain(deps: RotateDeps, lease: Lease, { target, ring }: Chosen): Promise<Rotated> {
  const { db, onProgress, pause } = deps;
  const keys: MasterKeys = { active: target, all: new Map(ring.map((key) => [key.id, key])) };
  const seal = sealUnder(
    () => keys,
    () => undefined,
  );
  const reseal = {
    header: headerOf(target),
    seal: (kept: Buffer, place: Place) => sealedAgain(seal, kept, place),
  };
  let sealed = 0;
  for (;;) {
    const before = sealed;
    sealed += await resealAll(db, lease, reseal, (done) => onProgress(before + done));
    const sealing = (await runningProcesses(db)).filter(({ sealing_key: key }) => key !== target.id);
    // In this order: a value that a process sealed with an old key before it was checked is counted now.
    if (sealing.length === 0 && (await valuesUnderOthers(db, target)) === 0) break;
    await extendLease(db, lease);
    await pause();
  }
  const known = await everyKey(db);
  const unused = known.filter(({ state }) => state === 'old').map(({ id }) => id);
  return { id: target.id, sealed, unused };
}

function sealedAgain(seal: Seal, kept: Buffer, place: Place): Buffer {
  let text: string;
  try {
    text = seal.open(kept, place);
  } catch (cause) {
    const where = `${place.table}.${place.column} of ${place.row}`;
    throw new Error(`The value in ${where} does not open: ${(cause as Error).message}`, { cause });
  }
  return seal.seal(text, place);
}

/** A key with its state, and the values that need it. */
export type ListedKey = {
  id: string;
  state: KeyState | 'not used';
  since: Date | null;
  /** Whether it is in the store from which this process reads its keys. */
  here: boolean;
  values: { table: string; column: string; values: number }[];
};

/** Every key that this database or the store knows, the newest first. */
export async function listMasterKeys(db: Database, store: KeyStore): Promise<ListedKey[]> {
  const ring = await store.read();
  const known = await everyKey(db);
  const uses = (await countUses(db, headerBytes)).map(({ header, ...use }) => ({
    ...use,
    id: header.toString('hex', 1),
  }));
  const here = new Set(ring.map(({ id }) => id));
  const others = new Set([...here, ...uses.map(({ id }) => id)]).difference(
    new Set(known.map(({ id }) => id)),
  );
  const rows: Omit<ListedKey, 'here' | 'values'>[] = [
    ...[...others].map((id) => ({ id, state: 'not used' as const, since: null })),
    ...known,
  ];
  return rows.map(({ id, state, since }) => ({
    ...{ id, state, since },
    here: here.has(id),
    values: uses
      .filter((use) => use.id === id)
      .map(({ table, column, values }) => ({ table, column, values })),
  }));
}

/**
 * Ends the use of a master key, and removes it from the store. Throws while a value or a process needs it. Repeated, it
 * finishes what an interrupted run left.
 */
export async function dropMasterKey(db: Database, store: KeyStore, id: string, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    // Waits for transactions that write a value with it; afterwards none can.
    const { rows } = await tx.query<{ state: KeyState }>(
      'SELECT state FROM master_keys WHERE id = $1 FOR UPDATE',
      [id],
    );
    const [key] = rows;
    if (!key) throw new Error(`This database has never used a master key ${id}`);
    if (key.state === 'dropped') return;
    if (key.state === 'active') throw new Error(`${id} is the active master key: rotate first`);
    const sealing = (await runningProcesses(tx)).filter(({ sealing_key: held }) => held === id);
    if (sealing.length > 0) {
      const names = sealing.map(({ host, pid }) => `${pid} on ${host}`).join(', ');
      throw new Error(`These processes still seal with ${id}: ${names}`);
    }
    const left = (await countUses(tx, headerBytes)).filter(({ header }) => header.toString('hex', 1) === id);
    if (left.length > 0) {
      const where = left.map(({ table, column, values }) => `${values} in ${table}.${column}`).join(', ');
      throw new Error(
        `Values are still sealed with ${id}: ${where}. \`florin master-key rotate\` seals them anew`,
      );
    }
    await tx.query(`UPDATE master_keys SET state = 'dropped', dropped_at = $2 WHERE id = $1`, [id, now]);
    const change = { action: 'dropped a master key', subject: { kind: 'master key', id } };
    await recordChange(tx, commandActor, change, now);
  });
  const [newest, ...older] = (await store.read()).filter((key) => key.id !== id);
  if (newest && store.write) await store.write([newest, ...older]);
}
