import type { Reader } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { AppealRow } from '../payment/appeal.ts';
import { chargedOf, type Payment } from '../payment/payment.ts';
import { returnablesOf } from '../refunds/after-appeal.ts';
import { bookedOf } from '../settlement/booked.ts';
import { countingOf } from '../settlement/received.ts';
import { isSettled, settledSharesOf } from '../settlement/settle.ts';
import type { TransferRow } from '../settlement/transfer.ts';
import { type Decision, decidable, refusalOf } from './resolve.ts';

/** A decimal string in one asset. */
type AssetAmount = { asset: string; network: string; amount: string };

type Units = { asset: string; units: bigint };

/**
 * What each decision would do with the money if it were made now; null where the reason does not allow it. `left`: what
 * rejecting a dispute would settle after some of the money has left its chain; null while the payment is settled.
 */
export async function decisionsOf(
  reader: Reader,
  assets: Assets,
  { appeal, payment, transfers }: { appeal: AppealRow; payment: Payment; transfers: TransferRow[] },
) {
  const counting = countingOf(assets, payment, transfers);
  const hasShares = isSettled(payment);
  const open = (decision: Decision) => ({
    refusal: messageOf(refusalOf(decision, { appeal, transfers: counting, hasShares }), appeal),
  });
  const allows = (decision: Decision) => decidable[decision].includes(appeal.reason);
  return {
    accept: allows('accept') ? { ...open('accept'), ...acceptance(assets, payment, counting) } : null,
    return: allows('return')
      ? { ...open('return'), ...(await refundPlan(reader, assets, payment, transfers)) }
      : null,
    reject: allows('reject')
      ? { ...open('reject'), left: hasShares ? null : acceptance(assets, payment, counting) }
      : null,
  };
}

function messageOf(row: ReturnType<typeof refusalOf>, { reason }: AppealRow): string | null {
  return row && refuse(row, { reason }).message;
}

function acceptance(assets: Assets, payment: Payment, counting: TransferRow[]) {
  const shares = settledSharesOf(assets, chargedOf(payment), counting);
  const to = (kind: string) =>
    sums(
      assets,
      shares.filter((share) => share.to === kind),
    );
  return { receives: to('business'), fee: to('fee'), surplus: to('overpayment') };
}

async function refundPlan(reader: Reader, assets: Assets, payment: Payment, transfers: TransferRow[]) {
  const booked = [...(await bookedOf(reader, payment))].map(([asset, units]) => ({ asset, ...units }));
  const inWallets = (await returnablesOf(reader, transfers))
    .filter(({ source }) => source.kind === 'user')
    .map(({ transfer }) => transfer);
  const business = booked.map(({ asset, business: units }) => ({ asset, units }));
  const balances = await balancesOf(reader, {
    kind: 'business',
    owner: payment.integrationId,
    mode: payment.mode,
  });
  const shortage = business.map(({ asset, units }) => {
    const available = balances.find((balance) => balance.asset === asset)?.available ?? 0n;
    return { asset, units: units > available ? units - available : 0n };
  });
  const toWallet = unitsOf(inWallets);
  const owed = booked.map(({ asset, suspense, business: share, fees, overpayment }) => {
    const left = suspense + share + fees + overpayment;
    return { asset, units: left - (toWallet.get(asset) ?? 0n) };
  });
  return {
    to_wallet: sums(assets, inWallets),
    owed: sums(assets, owed),
    from_business: sums(assets, business),
    shortage: sums(assets, shortage),
    fee_given_up: sums(
      assets,
      booked.map(({ asset, fees: units }) => ({ asset, units })),
    ),
  };
}

function unitsOf(parts: readonly Units[]): Map<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { asset, units } of parts) totals.set(asset, (totals.get(asset) ?? 0n) + units);
  return totals;
}

/** The sum of each asset; sums of zero are left out. */
function sums(assets: Assets, parts: Units[]): AssetAmount[] {
  return [...unitsOf(parts)]
    .filter(([, units]) => units > 0n)
    .map(([code, units]) => {
      const { network, scale } = assets.get(code);
      return { asset: code, network, amount: decimalOf(units, scale) };
    });
}
