import { after } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db.ts';
import type { Horizon } from '../horizon.ts';
import { type Content, contentOf } from './envelope.ts';
import type { Place } from './order.ts';
import { type Envelope, knownHashes, type Send } from './record.ts';
import { type PastTransaction, pastTransactions, readAccount, readLedger, readTransaction } from './view.ts';

/** What became of a signed transaction, as the network shows it. */
export type Fate =
  | { kind: 'applied' | 'failed'; fee: bigint }
  /** Proved: it is in no ledger, and can come into none. */
  | { kind: 'void' }
  /** It may be on its way, or be handed in again. */
  | { kind: 'waiting' }
  /** Its time is over, and what Horizon shows does not prove yet what became of it. */
  | { kind: 'unclear'; why: string };

/** A Horizon of several machines may be some ledgers behind itself. */
const marginSeconds = 15;
/** After this long a Horizon that shows nothing of what used a sequence number is believed: it was bumped. */
const bumpedSeconds = 3600;
/** How far the clocks of gateway and network may be apart. */
const skewSeconds = 60;

/**
 * Finds out by one Horizon. That it knows no such transaction says nothing before a ledger has closed that could not
 * take it any more. And where its sequence number is used up, the transaction that used it must be seen: else
 * this may be the one, and Horizon still about to show it. Where the number is free, whatever is signed next takes
 * the same one, so that of both one alone can ever be applied.
 */
export async function fateOf(horizon: Horizon, place: Place, envelope: Envelope): Promise<Fate> {
  const { hash, maxTime, createdAt } = envelope;
  const found = await readTransaction(horizon, hash);
  if (found) return { kind: found.successful ? 'applied' : 'failed', fee: found.fee };
  const ledger = await readLedger(horizon);
  if (ledger.closedAt <= maxTime) return { kind: 'waiting' };
  if (ledger.closedAt <= after(maxTime, marginSeconds)) {
    return { kind: 'unclear', why: 'the last ledger that could take it has just closed' };
  }
  const account = await readAccount(horizon, place.account, ledger);
  if (!account) return { kind: 'unclear', why: 'Horizon shows no custody account' };
  if (account.sequence < envelope.sequence) return { kind: 'void' };
  for await (const past of pastTransactions(horizon, place.account, after(createdAt, -skewSeconds))) {
    if (past.hash === hash) return { kind: past.successful ? 'applied' : 'failed', fee: past.fee };
    const content = await contentOf(place.passphrase, past.envelope);
    if (content?.source === place.account && content.sequence === envelope.sequence) return { kind: 'void' };
  }
  if (ledger.closedAt > after(maxTime, bumpedSeconds)) return { kind: 'void' };
  return { kind: 'unclear', why: 'its sequence number is used, and Horizon does not show by what' };
}

/** A transaction that did what an order wants, and is none that was signed for another one. */
export type Twin = PastTransaction & { isOurs: boolean };

/**
 * Looks among what left the account since the order was given for a transaction that carries it out already: one
 * that a database which was put back to an earlier state has forgotten, or one that a person sent.
 */
export async function findTwin(
  reader: Reader,
  horizon: Horizon,
  place: Place,
  { id, units, destination, memo, createdAt, identifier }: Send,
): Promise<Twin | null> {
  const isTwin = (content: Content): boolean =>
    content.source === place.account &&
    content.memo === memo &&
    // The identifier of a platform payment names it alone.
    (identifier !== null ||
      content.payments.some((paid) => paid.destination === destination && paid.units === units));
  for await (const past of pastTransactions(horizon, place.account, after(createdAt, -skewSeconds))) {
    if (!past.successful) continue;
    const content = await contentOf(place.passphrase, past.envelope);
    if (!content || !isTwin(content)) continue;
    const owner = (await knownHashes(reader, [past.hash])).get(past.hash);
    if (owner === undefined || owner === id) return { ...past, isOurs: owner === id };
  }
  return null;
}
