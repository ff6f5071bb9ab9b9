import { transaction } from '../../../kit/db/db.ts';
import { SendFault } from '../../signing/send-fault.ts';
import { HorizonFault } from '../horizon/horizon.ts';
import type { SendDeps } from './deps.ts';
import type { Fate } from './fate.ts';
import { endInVain } from './outcome.ts';
import { type Envelope, endEnvelope, noteSaid } from './record.ts';
import { codesOf } from './view.ts';

/**
 * Takes the transaction under way a step further; true when it is known what became of it. As long as it may come
 * into a ledger the same bytes are handed in again, and nothing else is signed. Throws SendFault.
 */
export async function advance(deps: SendDeps, envelope: Envelope, fate: Fate): Promise<boolean> {
  const { db, now } = deps;
  switch (fate.kind) {
    case 'applied':
      // The reader reports what it moved and what it cost, so that both are booked once.
      await transaction(db, (tx) =>
        endEnvelope(tx, envelope.hash, { state: 'applied', fee: fate.fee, at: now() }),
      );
      return true;
    case 'failed': {
      // What is in a ledger Horizon answers as it did the first time, with the codes that its page lacks.
      const said = await submit(deps, envelope);
      if (said === null)
        throw new SendFault(`Transaction ${envelope.hash} failed, and Horizon does not say why`);
      await endInVain(deps, { ...envelope, said }, { state: 'failed', fee: fate.fee });
      return true;
    }
    case 'void':
      await endInVain(deps, envelope, { state: 'void', fee: null });
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
 * Hands a transaction in that was written down; the network takes it once, however often. Returns the codes of a
 * refusal, which says nothing of the next try.
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
      // Whether it arrived is seen by its hash.
      log.info({ hash, fault: error.message }, 'a transaction was handed in without an answer');
    });
  if (!answer || answer.said === 'taken') return null;
  const said = codesOf(answer.body).join(' ');
  await noteSaid(db, hash, said);
  return said;
}
