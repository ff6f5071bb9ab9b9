import type { Clock } from '../../../kit/clock.ts';
import { type Standing, standingAt } from '../answers.ts';
import { type Horizon, HorizonFault } from '../horizon.ts';
import type { Horizons } from '../horizons.ts';
import { type Account, moveCursor, type RoundOutcome } from './account.ts';
import { ledgerOf, type Movement } from './movement.ts';
import { createPageSize, newestToken, type Page, readPage } from './page.ts';
import { type Taking, takeMovement } from './take.ts';

export type RoundDeps = Taking & {
  horizons: Horizons;
  /** Whether the account's whole history is read, and not only what comes from now on. */
  isFromStart: boolean;
  now: Clock;
  nowMs: () => number;
  /** Whether the process is about to end. */
  isClosing: () => boolean;
  /** Keeps what a round has come to, so that a long one is seen to go on. */
  note: (outcome: RoundOutcome) => Promise<void>;
};

/** A round's outcome, with who answered and where the cursor is now. */
export type Round = { outcome: RoundOutcome; horizon: Horizon | null; cursor: bigint | null };

/** A ledger closes about every five seconds: whose newest is older than this has lost its network. */
const staleMs = 60_000;
/** How often it is asked whether the account is still there. */
const openEveryMs = 60_000;

/** Makes the rounds of an account: each reads what came since the last one, to the end. */
export function createRound(deps: RoundDeps): (account: Account) => Promise<Round> {
  const { horizons, now, nowMs, isClosing, isFromStart, db, note } = deps;
  const pageSize = createPageSize();
  let askedOpenMs = Number.NEGATIVE_INFINITY;

  /** How far a Horizon is. Throws HorizonFault where another one may be further, unless it is the best there is. */
  async function newestAt(
    horizon: Horizon,
    { passphrase }: Account,
    cursor: bigint | null,
    isBest: boolean,
  ): Promise<Standing> {
    const standing = await standingAt(horizon, passphrase);
    horizons.noteLedger(horizon, standing.ledger);
    const isStale = now().getTime() - standing.closedAt.getTime() > staleMs;
    const isBefore = cursor !== null && standing.ledger < ledgerOf(cursor);
    if ((isStale || isBefore) && !isBest) {
      throw new HorizonFault('behind', `its newest ledger is ${standing.ledger}`);
    }
    return standing;
  }

  async function isOpenAt(horizon: Horizon, { account, isOpen }: Account): Promise<boolean> {
    if (isOpen && nowMs() - askedOpenMs < openEveryMs) return true;
    const answer = await horizon.get(`/accounts/${account}`);
    askedOpenMs = nowMs();
    return answer !== null;
  }

  async function pageAt(
    horizon: Horizon,
    { account }: Pick<Account, 'account'>,
    cursor: bigint,
    head: bigint,
  ): Promise<Page> {
    try {
      const page = await readPage(horizon, { account, cursor, size: pageSize.now(), head });
      pageSize.grow();
      return page;
    } catch (error) {
      const kind = error instanceof HorizonFault ? error.kind : null;
      if (kind !== 'too_much' && kind !== 'timeout') throw error;
      const isLess = pageSize.shrink();
      if (kind === 'too_much' && isLess) return await pageAt(horizon, { account }, cursor, head);
      throw error;
    }
  }

  async function begin(horizon: Horizon, account: Account, head: bigint): Promise<bigint> {
    const start = isFromStart ? 0n : await newestToken(horizon, account.account, head);
    await moveCursor(db, account, null, start);
    return start;
  }

  /** Takes everything behind the cursor, which each step moves in `round`: after a fault the next one goes on there. */
  async function readOn(horizon: Horizon, account: Account, round: Round): Promise<void> {
    for (let isMore = true; isMore && !isClosing(); ) {
      const from = round.cursor!;
      const page = await pageAt(horizon, account, from, round.outcome.standing!.ledger);
      for (const movement of page.movements) {
        if (isClosing()) return;
        await step(account, round, movement);
      }
      if (page.last !== null && page.last !== round.cursor) {
        await moveCursor(db, account, round.cursor, page.last);
        round.cursor = page.last;
      }
      isMore = page.isFull;
      if (isMore) await note({ ...round.outcome, endpoint: horizon.name, endpoints: horizons.report() });
    }
    round.outcome.isThrough = !isClosing();
  }

  async function step(account: Account, round: Round, movement: Movement): Promise<void> {
    await takeMovement(deps, account, round.cursor!, movement);
    round.cursor = movement.token;
  }

  async function readAt(horizon: Horizon, account: Account, round: Round, isBest: boolean): Promise<void> {
    const { outcome } = round;
    outcome.standing = await newestAt(horizon, account, round.cursor, isBest);
    outcome.isOpen = await isOpenAt(horizon, account);
    const { ledger } = outcome.standing;
    if (round.cursor === null && outcome.isOpen) round.cursor = await begin(horizon, account, ledger);
    if (round.cursor !== null) await readOn(horizon, account, round);
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
      const { horizon } = await horizons.use(async (asked) => {
        try {
          await readAt(asked, account, round, isBest);
        } catch (error) {
          if (error instanceof HorizonFault && error.kind === 'behind') isAnyBehind = true;
          throw error;
        }
      });
      round.horizon = horizon;
    };
    const { outcome } = round;
    try {
      await read(false).catch((error) => (isAnyBehind ? read(true) : Promise.reject(error)));
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
