import type { Logger } from 'pino';
import { earlierOf } from '../../../kit/clock.ts';
import { headAt, type LedgerHead } from '../horizon/fields.ts';
import { type Horizon, HorizonFault } from '../horizon/horizon.ts';
import type { Horizons } from '../horizon/horizons.ts';
import { ledgerOf } from '../movements/movement.ts';
import type { Account, RoundOutcome } from './account.ts';
import { createReadingBack } from './back.ts';
import { type Balance, beginReading, endOf, readBalance } from './balance.ts';
import { compareBalance, type Look } from './compare.ts';
import { createPageSize, type Page, type PageRequest, readPage } from './page.ts';
import { type Taking, takePage } from './take.ts';

export type RoundDeps = Taking & {
  log: Logger;
  horizons: Horizons;
  /** Whether the account's whole history is read, and not only what comes from now on. */
  isFromStart: boolean;
  nowMs: () => number;
  /** Whether the process is about to end. */
  isClosing: () => boolean;
  /** Reports what was noted: a long round does so after each page. */
  report: () => Promise<unknown>;
  /** Keeps what a round has come to, so that a long one is seen to go on. */
  note: (outcome: RoundOutcome) => Promise<void>;
};

/** A round's outcome, with who answered and where the cursor is now. */
export type Round = { outcome: RoundOutcome; horizon: Horizon | null; cursor: bigint | null };

/** A ledger closes about every five seconds: a Horizon whose newest is older than this is cut off. */
const staleMs = 60_000;
/** How often the account itself is asked for, after a round: whether it is still there, and what it holds. */
const lookEveryMs = 15_000;

/** Makes the rounds of an account: each reads what came since the last one, to the end. */
export function createRound(deps: RoundDeps): (account: Account) => Promise<Round> {
  const { horizons, now, nowMs, isClosing, isFromStart, db, note, report } = deps;
  const pageSize = createPageSize();
  let lookedMs = Number.NEGATIVE_INFINITY;
  const readBack = createReadingBack({ ...deps, pageAt: (...where) => pageAt('operations', ...where) });

  /** How far a Horizon is. Throws HorizonFault where another one may be further, unless it is the best there is. */
  async function newestAt(
    horizon: Horizon,
    { passphrase }: Account,
    cursor: bigint | null,
    isBest: boolean,
  ): Promise<LedgerHead> {
    const standing = await headAt(horizon, passphrase);
    horizons.noteReached(horizon, standing.ledger);
    const isStale = now().getTime() - standing.closedAt.getTime() > staleMs;
    const isBefore = cursor !== null && standing.ledger < ledgerOf(cursor);
    if ((isStale || isBefore) && !isBest) {
      throw new HorizonFault('behind', `its newest ledger is ${standing.ledger}`);
    }
    return standing;
  }

  async function pageAt(
    list: PageRequest['list'],
    horizon: Horizon,
    { account }: Pick<Account, 'account'>,
    cursor: bigint,
    head: bigint,
  ): Promise<Page> {
    try {
      const page = await readPage(horizon, { account, list, cursor, size: pageSize.now(), head });
      pageSize.grow();
      return page;
    } catch (error) {
      const kind = error instanceof HorizonFault ? error.kind : null;
      if (kind !== 'too_much' && kind !== 'timeout') throw error;
      const isLess = pageSize.shrink();
      if (kind === 'too_much' && isLess) return await pageAt(list, horizon, { account }, cursor, head);
      throw error;
    }
  }

  /** Behind the ledger that last changed the account, so that what it holds there is known. */
  async function begin(account: Account, balance: Balance): Promise<bigint> {
    const start = isFromStart ? 0n : endOf(balance.ledger);
    await beginReading(db, account, start, isFromStart ? null : balance);
    return start;
  }

  /** Takes everything behind the cursor, page by page: after a fault the next Horizon goes on at `round.cursor`. */
  async function readOn(
    horizon: Horizon,
    account: Account,
    round: Round,
    start: bigint,
    head: bigint,
  ): Promise<void> {
    let from = start;
    for (let isMore = true; isMore && !isClosing(); ) {
      const page = await pageAt('payments', horizon, account, from, head);
      const { movements, last } = page;
      if (last !== null) {
        await takePage(deps, account, from, { movements, last });
        from = last;
        round.cursor = last;
      }
      isMore = page.isFull;
      if (!isMore) break;
      await note({ ...round.outcome, endpoint: horizon.name, endpoints: horizons.report() });
      await report();
    }
    round.outcome.isThrough = !isClosing();
  }

  async function readAt(
    horizon: Horizon,
    account: Account,
    round: Round,
    isBest: boolean,
  ): Promise<Look | null> {
    const { outcome } = round;
    // Another Horizon may have been read to its end before it failed.
    outcome.isThrough = false;
    const askedAt = now();
    outcome.standing = await newestAt(horizon, account, round.cursor, isBest);
    const { ledger: head, closedAt } = outcome.standing;
    if (!outcome.isOpen || round.cursor === null) {
      const balance = await readBalance(horizon, account.account, head);
      outcome.isOpen = balance !== null;
      if (balance) round.cursor ??= await begin(account, balance);
    }
    if (round.cursor === null) return null;
    await readOn(horizon, account, round, round.cursor, head);
    if (!outcome.isThrough || nowMs() - lookedMs < lookEveryMs) return null;
    const balance = await readBalance(horizon, account.account, head);
    lookedMs = nowMs();
    outcome.isOpen = balance !== null;
    return (
      balance && {
        balance,
        horizon,
        cursor: round.cursor,
        readTo: readTo(round),
        through: earlierOf(askedAt, closedAt),
      }
    );
  }

  /** After a round: whether anything was left out, now or earlier. */
  async function check(account: Account, look: Look | null, round: Round): Promise<void> {
    if (look) await compareBalance(deps, account, look);
    if (round.cursor === null || !round.outcome.isThrough) return;
    if (await readBack(account, readTo(round))) lookedMs = Number.NEGATIVE_INFINITY;
  }

  return async (account) => {
    const round: Round = {
      outcome: {
        standing: null,
        isThrough: false,
        isOpen: account.isOpen,
        endpoint: null,
        endpoints: [],
        fault: null,
      },
      horizon: null,
      cursor: account.cursor,
    };
    let isAnyBehind = false;
    const read = async (isBest: boolean) => {
      const { value, endpoint } = await horizons.use(async (asked) => {
        try {
          return await readAt(asked, account, round, isBest);
        } catch (error) {
          if (error instanceof HorizonFault && error.kind === 'behind') isAnyBehind = true;
          throw error;
        }
      });
      round.horizon = endpoint;
      return value;
    };
    const { outcome } = round;
    try {
      const look = await read(false).catch((error) => (isAnyBehind ? read(true) : Promise.reject(error)));
      await check(account, look, round);
      if (!outcome.isOpen) {
        outcome.fault = { code: 'no_account', message: `The network has no account ${account.account}.` };
      }
    } catch (error) {
      if (!(error instanceof HorizonFault)) throw error;
      const code = error.kind === 'nonsense' ? 'stalled' : 'no_endpoint';
      outcome.fault = { code, message: error.message };
    }
    outcome.endpoint = round.horizon?.name ?? null;
    outcome.endpoints = horizons.report();
    return round;
  };
}

/** The ledger that a round which is through has come to. */
function readTo({ cursor, outcome }: Round): bigint {
  const [reached, head] = [ledgerOf(cursor ?? 0n), outcome.standing?.ledger ?? 0n];
  return reached > head ? reached : head;
}
