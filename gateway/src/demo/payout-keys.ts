import type { IntegrationId, Mode } from '../identity/integration.ts';
import { createRestrictedKey } from '../identity/keys/key-changes.ts';
import type { Tx } from '../kit/db/db.ts';
import type { Seal } from '../kit/seal.ts';
import { changePayoutSettings } from '../payouts/rules/settings.ts';

/** Keys that may make payouts and refunds; the live one is made at the first start with a demo network. */
export type PayoutKeys = { test: string; live?: string };

const actions = ['make payouts', 'make refunds', 'read payments', 'read balances', 'read events'];
const testActions = [...actions, 'use test mode calls'];
/** So that everybody can try payouts in the demo: no approval is needed, and any address is allowed. */
const open = { enabled: true, approvals: 0, approveAbove: {}, knownAddressesOnly: false };

/** The demo's keys for payouts. Missing ones are made, and payouts are turned on for their mode. */
export async function keepPayoutKeys(
  tx: Tx,
  { seal, now }: { seal: Seal; now: Date },
  integrationId: IntegrationId,
  { earlier, isLive }: { earlier: PayoutKeys | undefined; isLive: boolean },
): Promise<PayoutKeys> {
  const make = async (mode: Mode): Promise<string> => {
    const owner = { integrationId, mode };
    await changePayoutSettings(tx, owner, open, now);
    const restrictions = {
      name: 'Payouts of the demo',
      actions: mode === 'test' ? testActions : actions,
      addresses: null,
      dailyLimits: null,
    };
    return (await createRestrictedKey(tx, seal, { ...owner, ...restrictions }, now)).secret;
  };
  const test = earlier?.test ?? (await make('test'));
  const live = earlier?.live ?? (isLive ? await make('live') : undefined);
  return live === undefined ? { test } : { test, live };
}
