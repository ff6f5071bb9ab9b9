import type { Journal, Payout, Refund } from '../../parties/journal.ts';
import type { Verdict } from '../../world/world.ts';
import type { Came, Reading } from '../reading.ts';
import { decimalOf, fineOf } from '../units.ts';
import { doubled, lost, wrong } from '../verdicts.ts';

// What was ordered leaves once, and nothing else leaves. Every order has an address that is used for nothing else.

const ended = new Set(['completed', 'cancelled', 'rejected', 'failed']);

type Order = {
  name: string;
  to: string;
  amount: string;
  status: string;
  isCancelled: boolean;
  isLive: boolean;
};

/** What the addresses of orders got by now may be less than was ordered, never more. */
export function sentTooMuch(
  orders: readonly { name: string; to: string; amount: string }[],
  came: readonly Came[],
): Verdict[] {
  return orders.flatMap(({ name, to, amount }) => {
    const got = gotAt(to, came);
    if (got <= fineOf(amount)) return [];
    return doubled(`${name}: ${to} got ${decimalOf(got)} and not ${amount}`);
  });
}

export function judgeSending(journal: Journal, reading: Reading, ours: { vault: string }): Verdict[] {
  const orders = [
    ...journal.payouts.map((payout) => payoutOrder(payout, reading)),
    ...journal.refunds.map((refund) => refundOrder(refund, reading)),
    ...journal.moves
      .filter(({ kind }) => kind === 'withdrawal')
      .map(({ from, to, amount }) => {
        const name = `withdrawal of ${from} to ${to}`;
        return { name, to, amount, status: 'completed', isCancelled: false, isLive: true };
      }),
  ];
  return [
    ...judgeMade(journal, reading),
    ...sentTooMuch(orders, reading.came),
    ...orders.flatMap((order) => judgeOrder(order, reading.came)),
    ...strangeSends(orders, reading.came, ours.vault),
  ];
}

function payoutOrder(payout: Payout, { payouts }: Reading): Order {
  const { id, to, amount, reference, isCancelled, mode } = payout;
  const status = payouts.get(id)?.status ?? 'not there';
  return { name: `payout ${reference}`, to, amount, status, isCancelled, isLive: mode === 'live' };
}

function refundOrder({ id, reference, to, amount, mode }: Refund, { payments }: Reading): Order {
  const read = payments.get(reference)?.refunds.find((each) => each.id === id);
  const name = `refund ${id} of ${reference}`;
  const status = read?.status ?? 'not there';
  // One that is left to its customer waits, and nothing leaves.
  return { name, to: to ?? '', amount, status, isCancelled: to === null, isLive: mode === 'live' };
}

function judgeOrder(
  { name, to, amount, status, isCancelled, isLive }: Order,
  came: readonly Came[],
): Verdict[] {
  if (status === 'not there') return lost(`${name} was ordered and is not there`);
  const waits = status === 'awaiting_destination' && to === '';
  if (!ended.has(status) && !waits) return lost(`${name} is still ${status}`);
  if (isCancelled && status === 'completed') return wrong(`${name} was cancelled and left`);
  if (!isCancelled && status !== 'completed') return lost(`${name} is ${status}, and nobody cancelled it`);
  if (!isLive) return [];
  const got = gotAt(to, came);
  const wanted = status === 'completed' ? fineOf(amount) : 0n;
  if (got >= wanted) return [];
  return lost(`${name}: ${to} got ${decimalOf(got)} and not ${decimalOf(wanted)}`);
}

/** What was answered is there with its values, and each order once. */
function judgeMade({ payouts }: Journal, reading: Reading): Verdict[] {
  const counts = Map.groupBy(reading.payouts.values(), ({ payout_reference }) => payout_reference ?? '');
  return payouts.flatMap(({ id, reference, asset, amount, to }) => {
    const verdicts: Verdict[] = [];
    const read = reading.payouts.get(id);
    if (read) {
      const is = [read.asset, decimalOf(fineOf(read.amount)), read.to.toLowerCase()].join(' ');
      const wanted = [asset, decimalOf(fineOf(amount)), to.toLowerCase()].join(' ');
      if (is !== wanted) verdicts.push(...wrong(`payout ${reference} is ${is} and not ${wanted}`));
    }
    const count = counts.get(reference)?.length ?? 0;
    if (count > 1) verdicts.push(...doubled(`payout ${reference} is there ${count} times`));
    return verdicts;
  });
}

/** Money that left the vault for an address that nobody named. */
function strangeSends(orders: readonly Order[], came: readonly Came[], vault: string): Verdict[] {
  const known = new Set(orders.map(({ to }) => to.toLowerCase()));
  return came
    .filter(({ from, to }) => from === vault.toLowerCase() && !known.has(to))
    .map(({ fine, asset, to }) => ({
      kind: 'wrong',
      said: `${decimalOf(fine)} ${asset} left for ${to}, which nobody ordered`,
    }));
}

const gotAt = (to: string, came: readonly Came[]): bigint =>
  came.filter((each) => each.to === to.toLowerCase()).reduce((sum, { fine }) => sum + fine, 0n);
