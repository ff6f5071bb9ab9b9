import { doorPermissions } from '../btcpay/protocol/permissions.ts';
import type { IntegrationId, Mode } from '../identity/integration.ts';
import { createRestrictedKey } from '../identity/keys/key-changes.ts';
import type { Tx } from '../kit/db/db.ts';
import type { Seal } from '../kit/seal.ts';

/** Keys with what shops ask for by the BTCPay door. */
export type BtcpayKeys = Record<Mode, string>;

const actions = Object.values(doorPermissions).flatMap((action) => action ?? []);

/** The demo's keys for shops that speak the BTCPay API; missing ones are made. */
export async function keepBtcpayKeys(
  tx: Tx,
  { seal, now }: { seal: Seal; now: Date },
  integrationId: IntegrationId,
  earlier: BtcpayKeys | undefined,
): Promise<BtcpayKeys> {
  if (earlier) return earlier;
  const make = async (mode: Mode): Promise<string> => {
    const restrictions = { name: 'BTCPay door', actions, addresses: null, dailyLimits: null };
    const owner = { integrationId, mode };
    return (await createRestrictedKey(tx, seal, { ...owner, ...restrictions }, now)).secret;
  };
  return { test: await make('test'), live: await make('live') };
}
