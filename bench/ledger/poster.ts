// Posts transfers to Florin's ledger or to the plain one, in a process of its own beside a database.
import { createHistogram } from 'node:perf_hooks';
import { systemClock } from '../../gateway/src/kit/clock.ts';
import { batched } from '../../gateway/src/kit/db/batch.ts';
import { type Database, openDatabase, transaction } from '../../gateway/src/kit/db/db.ts';
import { newId } from '../../gateway/src/kit/ids.ts';
import { connectEmbedded } from '../../gateway/src/kit/postgres/embedded-postgres.ts';
import { postAll, postTransfers, type Transfer } from '../../gateway/src/ledger/ledger.ts';
import { answer } from '../child.ts';
import type { Driven } from '../closed-load.ts';
import { movePlainly, openPlainLedger, type PlainTransfer } from './plain.ts';

/** Opens the database of a data directory; or posts: so many callers, each of which posts so many transfers in a call. */
export type PosterRequest = { dataDir: string } | Posting;
export type Posting = {
  ledger: 'gateway' | 'plain';
  callers: number;
  /** Transfers of one call. */
  each: number;
  /** All are paid out of one account. */
  isHot: boolean;
  seconds: number;
};
/** The process; or how many transfers were posted, with the time that a call took. */
export type PosterReply = { pid: number } | Driven;

type World = Record<Posting['ledger'], (transfers: readonly PlainTransfer[]) => Promise<void>>;

const accounts = 1_000;
const units = 1n;
const now = systemClock;
/** A connection for each caller of the plain ledger. */
const mostCallers = 64;

let world: World | undefined;

answer<PosterRequest, PosterReply>(async (request) => {
  if ('dataDir' in request) {
    world = await open(request.dataDir);
    return { pid: process.pid };
  }
  if (!world) throw new Error('No database was opened');
  return await drive(world[request.ledger], request);
});

async function open(dataDir: string): Promise<World> {
  const connection = await connectEmbedded(dataDir);
  if (!connection) throw new Error(`No gateway runs on ${dataDir}`);
  const db = openDatabase(connection);
  await fillAccounts(db);
  const plain = openDatabase(connection, mostCallers);
  await openPlainLedger(plain, accounts, `1${'0'.repeat(30)}`);
  return { gateway: joined(db), plain: (transfers) => movePlainly(plain, transfers, units) };
}

const ownerOf = (account: number): string => `bench ${account}`;

const transferOf = ({ id, debit, credit }: PlainTransfer): Transfer => ({
  ...{ id, mode: 'test', asset: 'pi', units, cause: 'bench', causeId: null },
  debit: { kind: 'user', owner: ownerOf(debit) },
  credit: { kind: 'user', owner: ownerOf(credit) },
});

async function fillAccounts(db: Database): Promise<void> {
  const given = Array.from({ length: accounts }, (_, n): Transfer => {
    const filled = { id: newId(), debit: 0, credit: n + 1 };
    return {
      ...{ ...transferOf(filled), units: 10n ** 30n },
      debit: { kind: 'external', owner: 'bench' },
    };
  });
  await transaction(db, (tx) => postAll(tx, given, now()));
}

/** Calls that come together share a commit, as those of fund-user do. */
function joined(db: Database): World['gateway'] {
  const post = batched<readonly PlainTransfer[], true>(async (calls) => {
    const outcomes = await transaction(db, (tx) => postTransfers(tx, calls.flat().map(transferOf), now()));
    const other = outcomes.find((outcome) => outcome !== 'posted');
    if (other) throw new Error(`A transfer is ${other}`);
    return calls.map(() => true);
  });
  return async (transfers) => void (await post(transfers));
}

async function drive(
  post: (transfers: readonly PlainTransfer[]) => Promise<void>,
  { callers, each, isHot, seconds }: Posting,
): Promise<Driven> {
  const latencies = createHistogram();
  const start = performance.now();
  const end = start + seconds * 1000;
  const call = async (): Promise<void> => {
    while (performance.now() < end) {
      const transfers = Array.from({ length: each }, () => drawn(isHot));
      const sentAt = performance.now();
      await post(transfers);
      latencies.record(Math.max(1, Math.round((performance.now() - sentAt) * 1000)));
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const count = latencies.count * each;
  return {
    count,
    figure: {
      perSecond: (count * 1000) / (performance.now() - start),
      p50Ms: latencies.percentile(50) / 1000,
      p99Ms: latencies.percentile(99) / 1000,
      generatorCpu: null,
    },
  };
}

function drawn(isHot: boolean): PlainTransfer {
  const debit = isHot ? 1 : 1 + Math.floor(Math.random() * accounts);
  const step = 1 + Math.floor(Math.random() * (accounts - 1));
  return { id: newId(), debit, credit: 1 + ((debit - 1 + step) % accounts) };
}
