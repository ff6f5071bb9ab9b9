import { transaction } from '../../../kit/db/db.ts';
import { SendFault } from '../../signing/send-fault.ts';
import { HorizonFault } from '../horizon/horizon.ts';
import type { SendDeps } from './deps.ts';
import type { Fate } from './fate.ts';
import { endUnapplied } from './outcome.ts';
import { type Envelope, endEnvelope, noteRefusal } from './record.ts';
import { codesOf } from './view.ts';

/**
 * Takes the next step of the transaction under way. Returns whether its outcome is final. As long as it may get into a
 * ledger the same bytes are submitted again, and nothing else is signed. Throws SendFault.
 */
export async function advanceEnvelope(deps: SendDeps, envelope: Envelope, fate: Fate): Promise<boolean> {
  const { db, now } = deps;
  switch (fate.kind) {
    case 'applied':
      // The reader reports what it moved and what it cost, so that both are booked once.
      await transaction(db, (tx) =>
        endEnvelope(tx, envelope.hash, { state: 'applied', fee: fate.fee, at: now() }),
      );
      return true;
    case 'failed': {
      // For a transaction in a ledger Horizon repeats its first answer, with the codes that its page does not have.
      const refusal = await submit(deps, envelope);
      if (refusal === null)
        throw new SendFault(`Transaction ${envelope.hash} failed, and Horizon does not say why`);
      await endUnapplied(deps, { ...envelope, refusal }, { state: 'failed', fee: fate.fee });
      return true;
    }
    case 'void':
      await endUnapplied(deps, envelope, { state: 'void', fee: null });
      return true;
    case 'waiting':
      await submit(deps, envelope);
      return false;
    case 'ending':
      return false;
    case 'unclear':
      throw new SendFault(`Transaction ${envelope.hash} is waited for: ${fate.why}`);
  }
}

/**
 * Submits a transaction that is written already; the network takes it once, however often it is submitted. Returns the
 * codes of a refusal, or null; the next try may succeed all the same.
 */
export async function submit(
  { db, horizons, log }: SendDeps,
  { hash, envelope }: Envelope,
): Promise<string | null> {
  const answer = await horizons
    .use((horizon) => horizon.submit(envelope))
    .then(({ value }) => value)
    .catch((error: Error) => {
      if (!(error instanceof HorizonFault)) throw error;
      // A look-up by its hash shows whether it arrived.
      log.info({ hash, fault: error.message }, 'a transaction was handed in without an answer');
    });
  if (!answer || answer.outcome === 'accepted') return null;
  const codes = codesOf(answer.body).join(' ');
  await noteRefusal(db, hash, codes);
  return codes;
}
