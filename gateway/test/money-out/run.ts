import { transaction } from '../../src/kit/db/db.ts';
import { setRefundSettings } from '../../src/payments/refunds/settings.ts';
import { changePayoutSettings } from '../../src/payouts/rules/settings.ts';
import { setPayoutTerms } from '../../src/payouts/rules/terms.ts';
import { checkMoneyOut } from './books.ts';
import { play, settleDown } from './play.ts';
import type { Stage } from './stage.ts';
import type { Schedule, Terms } from './steps.ts';

/** Plays one schedule to its end, and holds what came of it against the network. */
export async function playMoneyOut<N extends { do: string }, S>(
  open: (setting: S) => Promise<Stage<N>>,
  { terms, setting, steps }: Schedule<N, S>,
): Promise<void> {
  const stage = await open(setting);
  try {
    await agreeOn(stage, terms);
    for (const step of steps) await play(stage, step);
    await settleDown(stage);
    await checkMoneyOut(stage);
  } finally {
    await stage.close();
  }
}

/** Sets what the business and the operator have set in a schedule. */
export async function agreeOn<N>(
  stage: Stage<N>,
  { approvals, feeOnRefund, payoutFee }: Terms,
): Promise<void> {
  const { shop, db, assets } = stage;
  const now = shop.clock.now();
  await transaction(db, async (tx) => {
    const settings = { enabled: true, approvals, approveAbove: {}, knownAddressesOnly: false };
    await changePayoutSettings(tx, shop.owner, settings, now);
    await setRefundSettings(
      tx,
      shop.owner.integrationId,
      { feeOnRefund, claimLimitCents: 500, claimLimits: {} },
      now,
    );
    const none = { minimum: 0n, dailyLimit: null, approveAbove: null };
    for (const asset of assets) await setPayoutTerms(tx, asset, { ...none, fee: payoutFee }, now);
  });
}
