import type { Logger } from 'pino';
import { earlierOf } from '../../../kit/clock.ts';
import { headAt, type LedgerHead } from '../horizon/fields.ts';
import { type Horizon, HorizonFault } from '../horizon/horizon.ts';
import type { Horizons } from '../horizon/horizons.ts';
import { ledgerOf } from '../movements/movement.ts';
import type { Account, RoundOutcome } from './account.ts';
import { createReadingBack } from './back.ts';
import { type Balance, beginReading, lastTokenOf, readBalance } from './balance.ts';
import { type BalanceReading, compareBalance } from './compare.ts';
import { createPageReader, type PageReader } from './page.ts';
import { type RecordDeps, recordPage } from './record.ts';

export type RoundDeps = RecordDeps & {
  log: Logger;
  horizons: Horizons;
  /** Whether the account's whole history is read, and not only what comes from now on. */
  isFromStart: boolean;
  nowMs: () => number;
  /** Whether the process is about to end. */
  isClosing: () => boolean;
  /** Reports what was noted: a long round does so after each page. */
  report: () => Promise<unknown>;
  /** Keeps the outcome of a round so far, so that health shows the progress of a long one. */
  note: (outcome: RoundOutcome) => Promise<void>;
};

/** A round's outcome, with who answered and where the cursor is now. */
export type Round = {
  account: Account;
  outcome: RoundOutcome;
  horizon: Horizon | null;
  cursor: bigint | null;
};

/** What all rounds of an account share. */
type Reading = RoundDeps & { readPage: PageReader; balanceTimes: BalanceTimes };

/** A ledger closes about every five seconds: a Horizon whose newest is older than this is cut off. */
const staleMs = 60_000;

/** Makes the rounds of an account: each reads what came since the last one, to the end. */
export function createRound(deps: RoundDeps): (account: Account) => Promise<Round> {
  const readPage = createPageReader();
  const reading: Reading = { ...deps, readPage, balanceTimes: createBalanceTimes(deps.nowMs) };
  const readBack = createReadingBack({ ...deps, readPage });

  /** Checks whether anything was left out, now or earlier. */
  async function check(round: Round, found: BalanceReading | null): Promise<void> {
    if (found) await compareBalance(deps, round.account, found);
    if (round.cursor === null || !round.outcome.isThrough) return;
    if (await readBack(round.account, readTo(round))) reading.balanceTimes.askNext();
  }

  return async (account) => {
    const round = newRound(account);
    const { outcome } = round;
    try {
      await check(round, await readAtBest(reading, round));
      if (!outcome.isOpen) {
        outcome.fault = { code: 'no_account', message: `The network has no account ${account.account}.` };
      }
    } catch (error) {
      if (!(error instanceof HorizonFault)) throw error;
      const code = error.kind === 'nonsense' ? 'stalled' : 'no_endpoint';
      outcome.fault = { code, message: error.message };
    }
    outcome.endpoint = round.horizon?.name ?? null;
    outcome.endpoints = deps.horizons.report();
    return round;
  };
}

function newRound(account: Account): Round {
  const { isOpen, cursor } = account;
  const nothing = { head: null, isThrough: false, endpoint: null, endpoints: [], fault: null };
  return { account, outcome: { ...nothing, isOpen }, horizon: null, cursor };
}

/** How often the account itself is asked for, after a round: whether it still exists, and what it holds. */
const askEveryMs = 15_000;

type BalanceTimes = { isDue(): boolean; noteAsked(): void; askNext(): void };

function createBalanceTimes(nowMs: () => number): BalanceTimes {
  let askedMs = Number.NEGATIVE_INFINITY;
  return {
    isDue: () => nowMs() - askedMs >= askEveryMs,
    noteAsked() {
      askedMs = nowMs();
    },
    /** The next round asks, whenever it is. */
    askNext() {
      askedMs = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Reads at the best Horizon that is not behind; where some are behind and all fail, also at one that is behind. */
async function readAtBest(reading: Reading, round: Round): Promise<BalanceReading | null> {
  let isAnyBehind = false;
  const read = async (isBehindAllowed: boolean) => {
    const { value, endpoint } = await reading.horizons.use(async (asked) => {
      try {
        return await readAt(reading, round, asked, isBehindAllowed);
      } catch (error) {
        if (error instanceof HorizonFault && error.kind === 'behind') isAnyBehind = true;
        throw error;
      }
    });
    round.horizon = endpoint;
    return value;
  };
  return await read(false).catch((error) => (isAnyBehind ? read(true) : Promise.reject(error)));
}

/** Reads everything that one Horizon has, and the balance where that is due. Null: there is no balance to compare. */
async function readAt(
  reading: Reading,
  round: Round,
  horizon: Horizon,
  isBehindAllowed: boolean,
): Promise<BalanceReading | null> {
  const { now, balanceTimes } = reading;
  const { outcome, account } = round;
  // Another Horizon may have been read to its end before it failed.
  outcome.isThrough = false;
  const askedAt = now();
  outcome.head = await newestAt(reading, round, horizon, isBehindAllowed);
  const { ledger: head, closedAt } = outcome.head;
  if (!outcome.isOpen || round.cursor === null) {
    const balance = await readBalance(horizon, account.account, head);
    outcome.isOpen = balance !== null;
    if (balance) round.cursor ??= await begin(reading, account, balance);
  }
  if (round.cursor === null) return null;
  await readOn(reading, round, horizon, { from: round.cursor, head });
  if (!outcome.isThrough || !balanceTimes.isDue()) return null;
  const balance = await readBalance(horizon, account.account, head);
  balanceTimes.noteAsked();
  outcome.isOpen = balance !== null;
  if (!balance) return null;
  const { cursor } = round;
  return { balance, horizon, cursor, readTo: readTo(round), through: earlierOf(askedAt, closedAt) };
}

/** The newest ledger of a Horizon. Throws HorizonFault where it is behind, unless that is allowed. */
async function newestAt(
  { horizons, now }: Reading,
  { account, cursor }: Round,
  horizon: Horizon,
  isBehindAllowed: boolean,
): Promise<LedgerHead> {
  const head = await headAt(horizon, account.passphrase);
  horizons.noteReached(horizon, head.ledger);
  const isStale = now().getTime() - head.closedAt.getTime() > staleMs;
  const isBeforeCursor = cursor !== null && head.ledger < ledgerOf(cursor);
  if ((isStale || isBeforeCursor) && !isBehindAllowed) {
    throw new HorizonFault('behind', `its newest ledger is ${head.ledger}`);
  }
  return head;
}

/** Begins after the ledger that last changed the account, since what the account held there is known. */
async function begin({ db, isFromStart }: Reading, account: Account, balance: Balance): Promise<bigint> {
  const start = isFromStart ? 0n : lastTokenOf(balance.ledger);
  await beginReading(db, account, start, isFromStart ? null : balance);
  return start;
}

/** Records everything after `from`, page by page: after a fault the next Horizon goes on at `round.cursor`. */
async function readOn(
  reading: Reading,
  round: Round,
  horizon: Horizon,
  { from, head }: { from: bigint; head: bigint },
): Promise<void> {
  const { horizons, readPage, isClosing, note, report } = reading;
  const { account, outcome } = round;
  let cursor = from;
  for (let isMore = true; isMore && !isClosing(); ) {
    const page = await readPage(horizon, { account: account.account, list: 'payments', cursor, head });
    const { movements, last } = page;
    if (last !== null) {
      await recordPage(reading, account, cursor, { movements, last });
      cursor = last;
      round.cursor = last;
    }
    isMore = page.isFull;
    if (!isMore) break;
    await note({ ...outcome, endpoint: horizon.name, endpoints: horizons.report() });
    await report();
  }
  outcome.isThrough = !isClosing();
}

/** The ledger up to which a round that is through has read. */
function readTo({ cursor, outcome }: Round): bigint {
  const [reached, head] = [ledgerOf(cursor ?? 0n), outcome.head?.ledger ?? 0n];
  return reached > head ? reached : head;
}
