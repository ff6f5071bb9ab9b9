import type { Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Sending } from '../../rails/rail.ts';
import { sendingFor } from '../../rails/sending-for.ts';
import { payoutStop } from './stop.ts';

/** Why a payout cannot be sent for which no rail has a key. */
export const notConfigured = 'this installation has no key that sends it';

/** Why no payout in an asset can be ordered now, in words; null: it can. */
export async function createAvailability(
  reader: Reader,
  sendings: readonly Sending[],
  mode: Mode,
): Promise<(asset: string) => Promise<string | null>> {
  const isStopped = (await payoutStop(reader)) !== null;
  return async (asset) => {
    if (isStopped) return 'the operator has stopped payouts';
    const sending = sendingFor(sendings, mode, asset);
    return sending ? await sending.unavailable(reader, asset) : notConfigured;
  };
}
