import { hash } from 'node:crypto';
import { type Database, type Reader, transaction } from '../../kit/db/db.ts';
import { restoreBefore } from '../../treasury/restore.ts';
import { type Book, bookTerms, type Reach } from './books.ts';
import { belowSql, digestsSql, lookUpSql, stampsSql } from './sql.ts';
import { type Head, readHead, stampedReach } from './stamper.ts';
import { wrongRow } from './wrong-row.ts';

/** The first thing that is wrong: a stamp, and a row where one is to blame. */
export type ChainFault = { stamp: bigint; row: string | null; found: string };

export type ChainReport = {
  head: Head | null;
  /** How many stamps, and rows below them, were compared. */
  stamps: number;
  rows: number;
  fault: ChainFault | null;
};

/** A head that was kept elsewhere: the hash in hex digits, or as many of its first ones as were kept. */
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
/** What is hashed by one statement, of small stamps together. */
const groupNumbers = 20_000n;
const noHash = '00'.repeat(32);

/**
 * Computes the chain again and compares. What is read at a time is bounded, each time in a short transaction: stamped
 * rows stay as they are. Stamps that are made meanwhile are compared too. Ends at the first fault.
 */
export async function verifyChain(db: Database, { from, heads }: VerifyOrder): Promise<ChainReport> {
  const first = from < 1n ? 1n : from;
  let [stamps, rows] = [0, 0];
  const fault = await findFault();
  return { head: await readHead(db), stamps, rows, fault };

  async function findFault(): Promise<ChainFault | null> {
    const odd = first === 1n ? await rowBelow(db) : null;
    if (odd !== null) return { stamp: 1n, row: odd, found: 'a row has a number that is never given out' };
    let before = await startOf(db, first);
    if (!before) return { stamp: first - 1n, row: null, found: 'the stamp is missing' };
    for (;;) {
      const { rows: page } = await db.query<Stamp>(stampsSql, [before.number + 1n, pageStamps]);
      if (page.length === 0) break;
      const { sound, fault, last } = judgeLinks(page, before);
      const odd = await transaction(db, (tx) => judgeRows(tx, sound));
      if (odd ?? fault) return odd ?? fault;
      stamps += sound.length;
      rows += sound.reduce((sum, stamp) => sum + stamp.rows, 0);
      before = last;
    }
    return await judgeHeads(db, heads);
  }
}

/** What the next stamp has to follow: a number, a hash, and up to which rows the books are covered. */
type Place = { number: bigint; hash: string; reach: Reach };

async function startOf(reader: Reader, first: bigint): Promise<Place | null> {
  const reach = await stampedReach(reader, first);
  if (first === 1n) return { number: 0n, hash: noHash, reach };
  const { rows } = await reader.query<Stamp>(stampsSql, [first - 1n, 1]);
  const [stamp] = rows;
  return stamp?.number === first - 1n ? { number: stamp.number, hash: stamp.hash, reach } : null;
}

/** Follows stamps as far as each fits to the one before it. */
function judgeLinks(
  page: readonly Stamp[],
  start: Place,
): { sound: Stamp[]; fault: ChainFault | null; last: Place } {
  const sound: Stamp[] = [];
  let last = start;
  for (const stamp of page) {
    const found = linkFault(stamp, last);
    if (found) return { sound, fault: found, last };
    sound.push(stamp);
    last = {
      number: stamp.number,
      hash: stamp.hash,
      reach: { ...last.reach, [stamp.book]: stamp.to_seq },
    };
  }
  return { sound, fault: null, last };
}

function linkFault(stamp: Stamp, before: Place): ChainFault | null {
  const fault = (found: string, number = stamp.number): ChainFault => ({ stamp: number, row: null, found });
  if (stamp.number !== before.number + 1n) return fault('the stamp is missing', before.number + 1n);
  if (!stamp.is_own) return fault('the stamp was changed: its hash is not that of its columns');
  if (stamp.previous !== before.hash) return fault('the stamp does not follow from the one before it');
  if (!(stamp.version in bookTerms[stamp.book].encodings))
    return fault(`this Florin does not know the version ${stamp.version} of the stamp`);
  if (stamp.from_seq !== before.reach[stamp.book] + 1n)
    return fault('the stamp does not begin where the one before it in its book ended');
  return null;
}

/** The first of these stamps whose rows are not what they were. */
async function judgeRows(reader: Reader, stamps: readonly Stamp[]): Promise<ChainFault | null> {
  await reader.query('SET LOCAL statement_timeout = 0');
  await reader.query(lookUpSql);
  let first: Stamp | null = null;
  for (const group of groupsOf(stamps)) {
    const wrong = await wrongOf(reader, group);
    if (wrong && (!first || wrong.number < first.number)) first = wrong;
  }
  if (!first) return null;
  const row = await wrongRow(reader, first);
  return { stamp: first.number, row: row.row, found: row.found };
}

/** Stamps of one book and version that follow each other, together as many numbers as one statement should read. */
function groupsOf(stamps: readonly Stamp[]): Stamp[][] {
  const groups: Stamp[][] = [];
  const open = new Map<string, Stamp[]>();
  for (const stamp of stamps) {
    const kind = `${stamp.book} ${stamp.version}`;
    const group = open.get(kind);
    const start = group?.[0]?.from_seq ?? stamp.from_seq;
    if (group && stamp.to_seq - start < groupNumbers) group.push(stamp);
    else {
      const fresh = [stamp];
      open.set(kind, fresh);
      groups.push(fresh);
    }
  }
  return groups;
}

async function wrongOf(reader: Reader, group: readonly Stamp[]): Promise<Stamp | null> {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return null;
  const starts = group.map(({ from_seq }) => `${from_seq}`);
  const sql = digestsSql(first.book, first.version);
  const { rows } = await reader.query<{ n: number; rows: number; digest: string }>(sql, [
    first.from_seq,
    last.to_seq,
    starts,
  ]);
  const found = new Map(rows.map((row) => [row.n, row]));
  const none = { rows: 0, digest: hash('sha256', '') };
  const wrong = group.find((stamp, index) => {
    const { rows, digest } = found.get(index + 1) ?? none;
    return rows !== stamp.rows || digest !== stamp.digest;
  });
  return wrong ?? null;
}

async function rowBelow(reader: Reader): Promise<string | null> {
  const { rows } = await reader.query<{ label: string }>(belowSql, [-(2n ** 63n), 0n]);
  return rows[0]?.label ?? null;
}

async function judgeHeads(reader: Reader, heads: readonly KnownHead[]): Promise<ChainFault | null> {
  for (const { number, hash: known } of heads) {
    const { rows } = await reader.query<Stamp>(stampsSql, [number, 1]);
    const stamp = rows[0];
    if (stamp?.number !== number) {
      return { stamp: number, row: null, found: await whyMissing(reader) };
    }
    if (!stamp.hash.startsWith(known)) {
      const lost = await lostByRestore(reader, stamp.made_at);
      return { stamp: number, row: null, found: `the stamp was published with the hash ${known}${lost}` };
    }
  }
  return null;
}

async function whyMissing(reader: Reader): Promise<string> {
  const head = await readHead(reader);
  const end = head ? `ends with stamp ${head.number}, of ${head.made_at.toISOString()}` : 'has no stamp';
  return `the stamp was published and is missing: the database ${end}${await lostByRestore(reader, null)}`;
}

/** A restore explains heads that were published after its backup, and no others. */
async function lostByRestore(reader: Reader, at: Date | null): Promise<string> {
  const restore = await restoreBefore(reader, at);
  if (!restore) return '';
  const [backup, restored] = [restore.backup_at, restore.restored_at].map((each) => each.toISOString());
  return `; it was restored at ${restored}, and what was published after its backup of ${backup} until then is lost`;
}
