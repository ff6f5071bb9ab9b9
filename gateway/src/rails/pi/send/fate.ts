import { after } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db/db.ts';
import type { Horizon } from '../horizon/horizon.ts';
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
  /** Its time is over, and Horizon may be about to show it. */
  | { kind: 'ending' }
  /** What Horizon shows does not prove what became of it. */
  | { kind: 'unclear'; why: string };

/** A Horizon of several machines may be some ledgers behind itself. */
const marginSeconds = 15;
/** How far the clocks of gateway and network may be apart. */
const skewSeconds = 60;

/**
 * Finds out by one Horizon, whose word alone is not enough where there are several: see agreed-fate.ts. That it knows no such transaction says nothing before a ledger has closed that could not
 * take it any more. And where its sequence number is used up, the transaction that used it, or jumped over it, must be seen: else
 * this may be the one, and Horizon still about to show it. Where the number is free, whatever is signed next takes
 * the same one, so that of both one alone can ever be applied.
 */
export async function fateOf(horizon: Horizon, place: Place, envelope: Envelope): Promise<Fate> {
  const { hash, maxTime, createdAt } = envelope;
  const found = await readTransaction(horizon, hash);
  if (found) return { kind: found.successful ? 'applied' : 'failed', fee: found.fee };
  const ledger = await readLedger(horizon);
  if (ledger.closedAt <= maxTime) return { kind: 'waiting' };
  if (ledger.closedAt <= after(maxTime, marginSeconds)) return { kind: 'ending' };
  const account = await readAccount(horizon, place.account, ledger);
  if (!account) return { kind: 'unclear', why: 'Horizon shows no custody account' };
  if (account.sequence < envelope.sequence) return { kind: 'void' };
  for await (const past of pastTransactions(horizon, place.account, after(createdAt, -skewSeconds))) {
    if (past.hash === hash) return { kind: past.successful ? 'applied' : 'failed', fee: past.fee };
    const content = await contentOf(place.passphrase, past.envelope);
    if (content?.source === place.account && leavesNoRoom(past, content, envelope)) return { kind: 'void' };
  }
  return { kind: 'unclear', why: 'its sequence number is used, and Horizon does not show by what' };
}

/** Whether a transaction of the account took the sequence number itself, or jumped from before it to it or behind. */
function leavesNoRoom({ successful }: PastTransaction, past: Content, { sequence }: Envelope): boolean {
  const isJumpedOver = successful && past.sequence < sequence && past.jumpsTo >= sequence;
  return past.sequence === sequence || isJumpedOver;
}

/**
 * A transaction that did what an order wants, and was signed for no other one. `ours`: it was signed for this order;
 * `named`: it carries the identifier that the platform gave to it; `alike`: where to, how much and with which memo.
 */
export type Twin = PastTransaction & { sequence: bigint; how: 'ours' | 'named' | 'alike' };

/**
 * Looks among what left the account since the order was given for a transaction that carries it out already: one
 * that a database which was put back to an earlier state has forgotten, or one that a person sent.
 */
export async function findTwin(
  reader: Reader,
  horizon: Horizon,
  place: Place,
  send: Send,
): Promise<Twin | null> {
  let alike: Twin | null = null;
  for await (const past of pastTransactions(horizon, place.account, after(send.lookedAt, -skewSeconds))) {
    if (!past.successful) continue;
    const content = await contentOf(place.passphrase, past.envelope);
    if (content?.source !== place.account) continue;
    const how = likenessOf(content, send);
    if (how === null) continue;
    const { sequence } = content;
    const owner = (await knownHashes(reader, [past.hash])).get(past.hash);
    if (owner === send.id) return { ...past, sequence, how: 'ours' };
    if (owner !== undefined) continue;
    if (how === 'named') return { ...past, sequence, how };
    alike ??= { ...past, sequence, how };
  }
  return alike;
}

function likenessOf(
  content: Content,
  { units, destination, memo, identifier }: Send,
): 'named' | 'alike' | null {
  if (identifier !== null && content.memo === identifier) return 'named';
  // The platform may have named it otherwise before that was forgotten.
  if (identifier === null && content.memo !== memo) return null;
  const isPaid = content.payments.some((paid) => paid.destination === destination && paid.units === units);
  return isPaid ? 'alike' : null;
}
