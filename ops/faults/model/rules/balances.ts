import type { Journal, Order } from '../../parties/journal.ts';
import type { Verdict } from '../../world/world.ts';
import { currencyOf, type PaymentRead, type Purse, type Reading, whoOf } from '../reading.ts';
import { cameFor, isDirectIn, termsOf, unsureMs } from '../standing.ts';
import { decimalOf, fineOf } from '../units.ts';
import { doubled, lost, wrong } from '../verdicts.ts';
import { standingOf } from './payments.ts';

// What everybody owns is what they owned before, and what the orders brought and took. Nothing is held once all has ended.

const unsent = new Set(['cancelled', 'rejected', 'failed']);

/** Changes of balances by owner and currency, such as `merchant-1 live USDC`. */
type Changes = Map<string, bigint>;

function add(changes: Changes, who: string, currency: string, fine: bigint): void {
  const key = `${who} ${currency}`;
  changes.set(key, (changes.get(key) ?? 0n) + fine);
}

/** What is certain of a change of balances, and how much less it may be where a moment is not certain. */
type Changed = { changes: Changes; perhapsLess?: Changes };

/** What the orders, refunds, payouts, fundings and top-ups make of the balances of businesses. */
export function businessChanges(journal: Journal, reading: Reading): Changed {
  const changes: Changes = new Map();
  const perhapsLess: Changes = new Map();
  for (const order of journal.orders) {
    const read = reading.payments.get(order.reference);
    const standing = read && standingOf(order, read, reading);
    if (!standing) continue;
    const who = whoOf(order.merchant, order.mode);
    const currency = read.quote?.currency ?? order.asked.currency;
    // What is refunded of a direct payment is its merchant's to send.
    if (order.payer === null && isDirectIn(order, currency)) continue;
    const tooMuchBy = (atMs: number): bigint =>
      order.mode === 'test' ? standing.overpaid : overpaidBy(order, read, reading, atMs);
    const least = refundedShare(read, tooMuchBy, unsureMs);
    add(changes, who, currency, standing.credit - least);
    add(perhapsLess, who, currency, refundedShare(read, tooMuchBy, -unsureMs) - least);
  }
  for (const { merchant, mode, asset, amount, id } of journal.payouts) {
    const status = reading.payouts.get(id)?.status ?? '';
    if (!unsent.has(status)) add(changes, whoOf(merchant, mode), currencyOf(asset), -fineOf(amount));
  }
  for (const { merchant, mode, asset, amount } of journal.fundings)
    add(changes, whoOf(merchant, mode), currencyOf(asset), -fineOf(amount));
  for (const { merchant, asset, amount } of journal.topUps)
    add(changes, whoOf(merchant, 'live'), currencyOf(asset), fineOf(amount));
  return { changes, perhapsLess };
}

/**
 * What refunds took of the business's share. Each takes first what was too much when it was made, as far as earlier ones left
 * it; what came afterwards is owed to the customer besides. `ahead`: by how much the clock that says so may be wrong.
 */
function refundedShare(
  { refunds }: Pick<PaymentRead, 'refunds'>,
  tooMuchBy: (atMs: number) => bigint,
  ahead: number,
): bigint {
  let [share, used] = [0n, 0n];
  const made = refunds.filter(({ status }) => !unsent.has(status));
  for (const { amount, created_at } of made.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))) {
    const units = fineOf(amount);
    const left = tooMuchBy(Date.parse(created_at) + ahead) - used;
    const own = left <= 0n ? 0n : left < units ? left : units;
    used += own;
    share += units - own;
  }
  return share;
}

/** What had come beyond what is due by a time, by the chain. */
function overpaidBy(order: Order, read: PaymentRead, { came }: Reading, atMs: number): bigint {
  const terms = termsOf(order, read.quote);
  if (!terms) return 0n;
  const until = cameFor(order, terms.currency, came).filter((each) => each.atMs <= atMs);
  const more = until.reduce((sum, { fine }) => sum + fine, 0n) - terms.due;
  return more > 0n ? more : 0n;
}

/** What fundings, payments, sends and withdrawals make of the wallets of users. */
export function walletChanges({ orders, fundings, moves }: Journal, { payments }: Reading): Changed {
  const changes: Changes = new Map();
  for (const { username, mode, asset, amount } of fundings)
    add(changes, whoOf(username, mode), currencyOf(asset), fineOf(amount));
  for (const order of orders) {
    const terms = termsOf(order, payments.get(order.reference)?.quote);
    if (order.payer !== null && terms)
      add(changes, whoOf(order.payer, order.mode), terms.currency, -terms.due);
  }
  for (const { kind, from, to, mode, asset, amount } of moves) {
    add(changes, whoOf(from, mode), currencyOf(asset), -fineOf(amount));
    if (kind === 'send') add(changes, whoOf(to, mode), currencyOf(asset), fineOf(amount));
  }
  return { changes };
}

type Purses = ReadonlyMap<string, Purse>;

/** Compares what everybody owns with what they owned before and what changed, the networks of a currency together. */
export function judgePurses(
  before: Purses,
  after: Purses,
  { changes, perhapsLess = new Map() }: Changed,
): Verdict[] {
  return [...after].flatMap(([who, purse]) => {
    const was = byCurrency(before.get(who));
    return [...byCurrency(purse)].flatMap(([currency, { available, held }]) => {
      const name = `${who} ${currency}`;
      const { available: free, held: bound } = was.get(currency) ?? nothing;
      const wanted = free + bound + (changes.get(name) ?? 0n);
      const is = available + held;
      const difference = `${name} is ${decimalOf(is)} and not ${decimalOf(wanted)}: by ${decimalOf(is - wanted)}`;
      return [
        ...(held === 0n ? [] : wrong(`${name}: ${decimalOf(held)} is still held`)),
        ...(is < wanted - (perhapsLess.get(name) ?? 0n) ? lost(difference) : []),
        ...(is > wanted ? doubled(difference) : []),
      ];
    });
  });
}

const nothing = { available: 0n, held: 0n };

function byCurrency(purse: Purse | undefined): Purse {
  const sums: Purse = new Map();
  for (const [asset, { available, held }] of purse ?? []) {
    const sum = sums.get(currencyOf(asset)) ?? nothing;
    sums.set(currencyOf(asset), { available: sum.available + available, held: sum.held + held });
  }
  return sums;
}
