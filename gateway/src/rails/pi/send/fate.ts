import { after } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db/db.ts';
import type { Horizon } from '../horizon/horizon.ts';
import { type Content, contentOf } from './envelope.ts';
import type { Place } from './order.ts';
import { type Envelope, knownHashes, type Send } from './record.ts';
import { type PastTransaction, pastTransactions, readAccount, readLedger, readTransaction } from './view.ts';

/** The fate of a signed transaction, as the network shows it. */
export type Fate =
  | { kind: 'applied' | 'failed'; fee: bigint }
  /** It is in no ledger, and can get into none any more. */
  | { kind: 'void' }
  /** It may still get into a ledger, and can be submitted again. */
  | { kind: 'waiting' }
  /** Its last valid time has passed, and Horizon may still be behind. */
  | { kind: 'ending' }
  /** What Horizon shows does not prove its fate. */
  | { kind: 'unclear'; why: string };

/** The machines of one Horizon may be some ledgers apart. */
const marginSeconds = 15;
/** How far the clocks of gateway and network may be apart. */
const skewSeconds = 60;

/**
 * Finds out the fate from one Horizon; where there are several, one answer is not enough: see agreed-fate.ts. A
 * transaction that Horizon does not know may still come until a ledger has closed after its last valid time. If its
 * sequence number is used by then, the transaction that used it or jumped over it must be found: else it may be this one,
 * and Horizon is behind. If the number is free, the next transaction takes the same one, so that only one of the two can
 * ever be applied.
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

/** Whether a past transaction used the envelope's sequence number, or jumped over it. */
function leavesNoRoom({ successful }: PastTransaction, past: Content, { sequence }: Envelope): boolean {
  const isJumpedOver = successful && past.sequence < sequence && past.jumpsTo >= sequence;
  return past.sequence === sequence || isJumpedOver;
}

/**
 * A transaction that did what an order asks for, and was not signed for another order. `ours`: it was signed for this
 * order; `named`: it carries the identifier that the platform gave the order; `alike`: it has the same destination,
 * amount and memo.
 */
export type Twin = PastTransaction & { sequence: bigint; how: 'ours' | 'named' | 'alike' };

/**
 * Looks for a transaction since the order was given that carries it out already: one that a restored database does not
 * know, or one that a person sent.
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
    const how = matchOf(content, send);
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

function matchOf(content: Content, { units, destination, memo, identifier }: Send): 'named' | 'alike' | null {
  if (identifier !== null && content.memo === identifier) return 'named';
  // A restored database may lack the identifier that the platform gave it before.
  if (identifier === null && content.memo !== memo) return null;
  const isPaid = content.payments.some((paid) => paid.destination === destination && paid.units === units);
  return isPaid ? 'alike' : null;
}
