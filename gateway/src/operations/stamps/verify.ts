import { hash } from 'node:crypto';
import { type Database, liftTimeLimits, type Reader, transaction } from '../../kit/db/db.ts';
import { restoreBefore } from '../../treasury/restore.ts';
import { type Book, bookTerms, type Reach } from './books.ts';
import { belowSql, digestsSql, lookUpSql, stampsSql } from './sql.ts';
import { type Head, readHead, stampedReach } from './stamper.ts';
import { wrongRow } from './wrong-row.ts';

/** Something that is wrong: a stamp, and the row that differs, where there is one. */
type ChainFault = { stamp: bigint; row: string | null; found: string };

export type ChainReport = {
  head: Head | null;
  /** How many stamps, and rows below them, were compared. */
  stamps: number;
  rows: number;
  /** The first fault; null: the chain is intact. */
  fault: ChainFault | null;
  /** The first hundred, in the order in which they were found. */
  faults: readonly ChainFault[];
  /** How many faults there are in all. */
  faultCount: number;
};

/** A head that was kept elsewhere: its hash in hex digits, or only the first ones of these. */
export type KnownHead = { number: bigint; hash: string };

export type VerifyOrder = {
  /** The stamp to begin with. */
  from: bigint;
  heads: readonly KnownHead[];
};

type Stamp = {
  number: bigint;
  version: number;
  book: Book;
  from_seq: bigint;
  to_seq: bigint;
  rows: number;
  digest: string;
  previous: string;
  hash: string;
  made_at: Date;
  is_own: boolean;
};

const pageStamps = 500;
/** How many numbers one statement hashes, of several small stamps together. */
const groupNumbers = 20_000n;
const noHash = '00'.repeat(32);

/** How many faults are described; further ones are only counted. */
const mostFaults = 100;

/**
 * Computes the chain again and compares. It reads a bounded part in each of many short transactions, since stamped rows do
 * not change. Stamps that are made meanwhile are compared too. It continues after a fault: what follows is compared with
 * the stamp that is there.
 */
export async function verifyChain(db: Database, { from, heads }: VerifyOrder): Promise<ChainReport> {
  const first = from < 1n ? 1n : from;
  const faults: ChainFault[] = [];
  let [stamps, rows, faultCount] = [0, 0, 0];
  const add = (found: readonly ChainFault[]): void => {
    faultCount += found.length;
    faults.push(...found.slice(0, mostFaults - faults.length));
  };
  const odd = first === 1n ? await rowBelow(db) : null;
  if (odd !== null) add([{ stamp: 1n, row: odd, found: 'a row has a number that is never given out' }]);
  let before = await placeBefore(db, first);
  if (before.hash === null) add([missing(first - 1n)]);
  for (;;) {
    const { rows: page } = await db.query<Stamp>(stampsSql, [before.number + 1n, pageStamps]);
    if (page.length === 0) break;
    const judged = checkLinks(page, before);
    const wrong = await transaction(db, (tx) => checkRows(tx, judged.readable, mostFaults - faults.length));
    add([...judged.faults, ...wrong].sort(byStamp));
    stamps += page.length;
    rows += page.reduce((sum, stamp) => sum + stamp.rows, 0);
    before = judged.last;
  }
  add(await checkHeads(db, heads));
  return { head: await readHead(db), stamps, rows, fault: faults[0] ?? null, faults, faultCount };
}

const byStamp = (one: ChainFault, other: ChainFault): number => ascending(one.stamp, other.stamp);
const ascending = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);
const missing = (stamp: bigint): ChainFault => ({ stamp, row: null, found: 'the stamp is missing' });

/**
 * What the next stamp has to follow: a number, a hash, and up to which rows the books are covered. After a gap the hash is
 * null, and a book is missing until its next stamp.
 */
type Place = { number: bigint; hash: string | null; reach: Partial<Reach> };

async function placeBefore(reader: Reader, first: bigint): Promise<Place> {
  const reach = await stampedReach(reader, first);
  if (first === 1n) return { number: 0n, hash: noHash, reach };
  const { rows } = await reader.query<Stamp>(stampsSql, [first - 1n, 1]);
  const [stamp] = rows;
  const hash = stamp?.number === first - 1n ? stamp.hash : null;
  return { number: first - 1n, hash, reach: hash === null ? {} : reach };
}

/** Compares each stamp with the one before it. `readable`: those whose rows can be compared. */
function checkLinks(
  page: readonly Stamp[],
  start: Place,
): { readable: Stamp[]; faults: ChainFault[]; last: Place } {
  const [readable, faults]: [Stamp[], ChainFault[]] = [[], []];
  let last = start;
  for (const stamp of page) {
    if (stamp.number !== last.number + 1n) {
      faults.push(missing(last.number + 1n));
      last = { number: stamp.number - 1n, hash: null, reach: {} };
    }
    const found = linkFault(stamp, last);
    if (found) faults.push({ stamp: stamp.number, row: null, found });
    if (stamp.is_own && stamp.version in bookTerms[stamp.book].encodings) readable.push(stamp);
    const reach = { ...last.reach, [stamp.book]: stamp.to_seq };
    last = { number: stamp.number, hash: stamp.hash, reach };
  }
  return { readable, faults, last };
}

/** What is wrong between a stamp and the one before it; null: nothing. */
function linkFault(stamp: Stamp, { hash, reach }: Place): string | null {
  if (!stamp.is_own) return 'the stamp was changed: its hash is not that of its columns';
  if (hash !== null && stamp.previous !== hash) return 'the stamp does not follow from the one before it';
  if (!(stamp.version in bookTerms[stamp.book].encodings))
    return `this Florin does not know the version ${stamp.version} of the stamp`;
  const end = reach[stamp.book];
  if (end !== undefined && stamp.from_seq !== end + 1n)
    return 'the stamp does not begin where the one before it in its book ended';
  return null;
}

/** The faults of stamps whose rows were changed; for the first `described` ones with the row that is wrong. */
async function checkRows(reader: Reader, stamps: readonly Stamp[], described: number): Promise<ChainFault[]> {
  await liftTimeLimits(reader);
  await reader.query(lookUpSql);
  const wrong: Stamp[] = [];
  for (const group of groupsOf(stamps)) wrong.push(...(await wrongStampsIn(reader, group)));
  wrong.sort((one, other) => ascending(one.number, other.number));
  const faults: ChainFault[] = [];
  for (const stamp of wrong) {
    const isDescribed = faults.length < described;
    const why = isDescribed ? await wrongRow(reader, stamp) : { row: null, found: 'its rows are others' };
    faults.push({ stamp: stamp.number, ...why });
  }
  return faults;
}

/** Groups of consecutive stamps of one book and version, each with as many numbers as one statement should read. */
function groupsOf(stamps: readonly Stamp[]): Stamp[][] {
  const groups: Stamp[][] = [];
  const open = new Map<string, Stamp[]>();
  for (const stamp of stamps) {
    const kind = `${stamp.book} ${stamp.version}`;
    const group = open.get(kind);
    const start = group?.[0]?.from_seq ?? stamp.from_seq;
    const follows = group?.at(-1)?.to_seq === stamp.from_seq - 1n;
    if (group && follows && stamp.to_seq - start < groupNumbers) group.push(stamp);
    else {
      const fresh = [stamp];
      open.set(kind, fresh);
      groups.push(fresh);
    }
  }
  return groups;
}

async function wrongStampsIn(reader: Reader, group: readonly Stamp[]): Promise<Stamp[]> {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return [];
  const starts = group.map(({ from_seq }) => `${from_seq}`);
  const sql = digestsSql(first.book, first.version);
  const { rows } = await reader.query<{ n: number; rows: number; digest: string }>(sql, [
    first.from_seq,
    last.to_seq,
    starts,
  ]);
  const found = new Map(rows.map((row) => [row.n, row]));
  const none = { rows: 0, digest: hash('sha256', '') };
  return group.filter((stamp, index) => {
    const { rows, digest } = found.get(index + 1) ?? none;
    return rows !== stamp.rows || digest !== stamp.digest;
  });
}

async function rowBelow(reader: Reader): Promise<string | null> {
  const { rows } = await reader.query<{ label: string }>(belowSql, [-(2n ** 63n), 0n]);
  return rows[0]?.label ?? null;
}

async function checkHeads(reader: Reader, heads: readonly KnownHead[]): Promise<ChainFault[]> {
  const faults: ChainFault[] = [];
  for (const { number, hash: known } of heads) {
    const { rows } = await reader.query<Stamp>(stampsSql, [number, 1]);
    const stamp = rows[0];
    const found =
      stamp?.number !== number
        ? await whyMissing(reader)
        : stamp.hash.startsWith(known)
          ? null
          : `the stamp was published with the hash ${known}${await lostByRestore(reader, stamp.made_at)}`;
    if (found !== null) faults.push({ stamp: number, row: null, found });
  }
  return faults;
}

async function whyMissing(reader: Reader): Promise<string> {
  const head = await readHead(reader);
  const end = head ? `ends with stamp ${head.number}, of ${head.made_at.toISOString()}` : 'has no stamp';
  return `the stamp was published and is missing: the database ${end}${await lostByRestore(reader, null)}`;
}

/** Says where a restore explains a missing head: one that was published after its backup. */
async function lostByRestore(reader: Reader, at: Date | null): Promise<string> {
  const restore = await restoreBefore(reader, at);
  if (!restore) return '';
  const [backup, restored] = [restore.backup_at, restore.restored_at].map((each) => each.toISOString());
  return `; it was restored at ${restored}, and what was published after its backup of ${backup} until then is lost`;
}
