import { identityErrors } from '../../identity/errors.ts';
import type { Integration } from '../../identity/integration.ts';
import { ownTimeOf } from '../../identity/integration.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { Payout } from '../payout/payout.ts';
import { payoutSettingsOf } from '../rules/settings.ts';
import { orderPayouts, type Requester, type Wanted } from './order.ts';
import type { PayoutDeps } from './state.ts';

type Business = { integration: Integration; mode: ApiKey['mode'] };

/** Refuses a business whose payouts are off. Throws `payouts_not_enabled`. */
export async function assertEnabled(reader: Reader, business: Business): Promise<void> {
  const { enabled } = await payoutSettingsOf(reader, ownerOf(business));
  if (!enabled) throw refuse(payoutErrors.payouts_not_enabled);
}

/** Refuses a business that may not order payouts now. Throws `not_approved`, `payouts_not_enabled`. */
export async function assertOrderable(reader: Reader, business: Business): Promise<void> {
  const { integration, mode } = business;
  if (mode === 'live' && integration.approval !== 'approved') throw refuse(identityErrors.not_approved);
  await assertEnabled(reader, business);
}

/** Orders payouts from a business balance (contract.md#payouts). Throws what `orderPayouts` does, and `not_approved`. */
export async function askForPayouts(
  tx: Tx,
  deps: PayoutDeps,
  { integration, mode, requester }: Business & { requester: Requester },
  wanted: readonly Wanted[],
): Promise<Payout[]> {
  const owner = ownerOf({ integration, mode });
  await assertOrderable(tx, { integration, mode });
  return await orderPayouts(
    tx,
    deps,
    {
      ...{ owner, mode, requester },
      purpose: 'merchant_payout',
      debit: { kind: 'business', owner: integration.id },
      isCharged: true,
      ownTime: ownTimeOf({ integration, mode }, deps.now()),
    },
    wanted,
  );
}

/** A key as the one who asks: the person who made it never approves what it asked for. */
export function keyRequester({ id, allowance, madeBy }: ApiKey): Requester {
  return {
    accountId: madeBy,
    name: `key ${id}`,
    limits: allowance && {
      ...{ allowanceId: allowance.id, byAsset: allowance.limits, asksAbove: allowance.asksAbove },
    },
  };
}
