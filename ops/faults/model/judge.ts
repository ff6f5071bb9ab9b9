import type { Journal } from '../parties/journal.ts';
import type { Arrival, Mode, Verdict, World } from '../world/world.ts';
import type { Reading } from './reading.ts';
import { whoOf } from './reading.ts';
import { judgeAnswers } from './rules/answers.ts';
import { businessChanges, judgePurses, walletChanges } from './rules/balances.ts';
import { judgeBooks } from './rules/books.ts';
import { judgeDirect } from './rules/direct.ts';
import { type Arrivals, judgeEvents } from './rules/events.ts';
import { judgePayments } from './rules/payments.ts';
import { judgeSending } from './rules/sending.ts';
import { bodyOf, judgeArrivals } from './rules/webhooks.ts';
import { decimalOf, fineOf } from './units.ts';

/** What a judgement is of. */
export type Case = {
  world: Pick<World, 'merchants' | 'chain' | 'wallets'>;
  /** All references of the seed begin with it. */
  run: string;
  journal: Journal;
  /** What everybody owned, and what a wallet backend had credited, when the seed began. */
  before: Pick<Reading, 'balances' | 'wallets' | 'direct'> & { credited: Credited };
};

/** How often a wallet backend has credited a user with an amount. */
type Credited = ReadonlyMap<string, number>;

/** What may never be so, whatever is broken just now. */
export function judgeSoFar({ world, run, journal }: Omit<Case, 'before'>): Verdict[] {
  const arrivals = arrivalsOf(world, run);
  return [...judgeAnswers({ ...journal, unanswered: [] }), ...judgeReceivers(world, journal, arrivals)];
}

/** Everything, once nothing is broken and nothing is under way any more. */
export function judgeAll({ world, run, journal, before }: Case, reading: Reading): Verdict[] {
  const arrivals = arrivalsOf(world, run);
  return [
    ...judgeAnswers(journal),
    ...judgeReceivers(world, journal, arrivals),
    ...judgePayments(journal, reading),
    ...judgeSending(journal, reading, world.chain),
    ...judgeEvents(journal, reading, { arrivals, finalDepth: world.chain.finalDepth }),
    ...judgePurses(before.balances, reading.balances, businessChanges(journal, reading)),
    ...judgePurses(before.wallets, reading.wallets, walletChanges(journal, reading)),
    ...(world.wallets ? judgeBackend(creditedOf(world), before.credited, journal) : []),
    ...(reading.direct ? judgeDirect(reading.direct, before.direct?.held ?? new Map()) : []),
    ...(reading.books ? judgeBooks(reading.books, reading) : []),
  ];
}

function judgeReceivers({ merchants }: Case['world'], journal: Journal, arrivals: Arrivals): Verdict[] {
  return merchants.flatMap(({ name, keys, receivers }) =>
    modes.flatMap((mode) => {
      const who = whoOf(name, mode);
      const endpointSecrets = [receivers[mode].secret, ...(journal.endpointSecrets.get(who) ?? [])];
      const signer = { who, secretKeys: [keys[mode].secretKey], endpointSecrets };
      return judgeArrivals(arrivals.get(who) ?? [], signer);
    }),
  );
}

const modes: readonly Mode[] = ['live', 'test'];

/** What arrived of this seed. */
export function arrivalsOf({ merchants }: Case['world'], run: string): Arrivals {
  const isOwn = (arrival: Arrival): boolean => {
    const { payment_reference, payout_reference } = bodyOf(arrival);
    return `${payment_reference || payout_reference}`.startsWith(run);
  };
  return new Map(
    merchants.flatMap(({ name, receivers }) =>
      modes.map((mode) => [whoOf(name, mode), receivers[mode].arrivals.filter(isOwn)] as const),
    ),
  );
}

type Credit = { username: string; asset: string; amount: string; mode: string };

function countOf(credits: readonly Credit[]): Credited {
  const named = Map.groupBy(
    credits,
    ({ username, asset, amount, mode }) => `${mode} ${username} ${asset} ${decimalOf(fineOf(amount))}`,
  );
  return new Map([...named].map(([name, all]) => [name, all.length]));
}

export const creditedOf = ({ wallets }: Pick<World, 'wallets'>): Credited =>
  countOf(wallets?.credits() ?? []);

/** A wallet backend has credited what was answered 200, each funding once, and nothing else. */
function judgeBackend(now: Credited, before: Credited, { fundings }: Journal): Verdict[] {
  const wanted = countOf(fundings);
  return [...new Set([...now.keys(), ...wanted.keys()])].flatMap((name) => {
    const found = (now.get(name) ?? 0) - (before.get(name) ?? 0);
    const count = wanted.get(name) ?? 0;
    if (found === count) return [];
    const kind = found < count ? 'lost' : 'doubled';
    return [{ kind, said: `the wallet backend credited ${name} ${found} times and not ${count}` } as const];
  });
}
