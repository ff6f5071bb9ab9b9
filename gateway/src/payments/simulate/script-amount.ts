import { invalid } from '../../kit/http/fields.ts';
import { type Asset, type Assets, currencyScale, fineScale } from '../../money/assets.ts';
import { decimalOf, rescale, unitsOfDecimal } from '../../money/money.ts';
import type { Script } from '../../rails/simulated/scenarios.ts';
import type { ChargedPayment } from '../payment/payment.ts';
import { sendableUnits } from '../settlement/received.ts';

/** What a script's amounts depend on: `missing` at `fineScale`, `amount` as it was asked for. */
export type Sum = { payment: ChargedPayment; script: Script; missing: bigint; amount: string | undefined };

type Sent = { asset: Asset; units: bigint };

/** What each of the script's transfers sends, in units of its asset; 0 where rounding leaves nothing. */
export function unitsOf(sum: Sum, assets: readonly Asset[]): Sent[] {
  const last = assets.at(-1);
  if (!last) return [];
  const total = totalOf(sum, last);
  const parts = assets.slice(0, -1).map((asset): Sent => {
    const part = rescale(total / BigInt(assets.length), last.scale, fineScale);
    return { asset, units: part / 10n ** BigInt(fineScale - asset.scale) };
  });
  const sent = parts.reduce((fine, { asset, units }) => fine + rescale(units, asset.scale, fineScale), 0n);
  // The last transfer gets what the others lost by rounding.
  const rest = sendableUnits(rescale(total, last.scale, fineScale) - sent, last.scale);
  return [...parts, { asset: last, units: rest }];
}

function totalOf(sum: Sum, { scale }: Asset): bigint {
  const { payment, script, missing, amount } = sum;
  const tolerance = rescale(payment.tolerance, currencyScale[payment.currency], fineScale);
  if (amount !== undefined) return sendableUnits(judgedAmount(sum, amount), scale);
  if (script.amount === 'nothing') return 0n;
  if (script.amount === 'dust') return missing > 0n ? 1n : 0n;
  const { numerator, denominator, tolerated } = script.amount;
  if (!tolerated) return (sendableUnits(missing, scale) * numerator) / denominator;
  const kept = (missing * (denominator - numerator)) / denominator;
  return sendableUnits(missing - (tolerance > 0n && tolerance < kept ? tolerance : kept), scale);
}

/** The amount that was asked for, at `fineScale`. Throws 400 where it contradicts what is to be played. */
function judgedAmount({ payment, script, missing }: Sum, amount: string): bigint {
  const { currency } = payment;
  const share = script.amount;
  if (share === 'nothing') throw invalid('amount', 'nothing is sent with this outcome: leave it out');
  if (share === 'dust') throw invalid('amount', 'dust is the smallest unit that there is: leave it out');
  const scale = currencyScale[currency];
  const units = unitsOfDecimal(amount, scale);
  if (units === null) throw invalid('amount', `must have at most ${scale} decimals in ${currency}`);
  const fine = rescale(units, scale, fineScale);
  const lacking = `the ${decimalOf(missing, fineScale)} ${currency} that the payment lacks`;
  if (share.numerator < share.denominator && fine >= missing) {
    const outcome = share.tolerated ? 'exchange_fee' : 'underpaid';
    throw invalid('amount', `must be less than ${lacking}, or leave ${outcome} out`);
  }
  if (share.numerator > share.denominator && fine <= missing) {
    throw invalid('amount', `must be more than ${lacking}, or leave overpaid out`);
  }
  if (script.last === 'dispute' && fine < missing) {
    throw invalid('amount', `must be at least ${lacking}, for only a paid one can be disputed`);
  }
  return fine;
}

/** The asset of each transfer; null where this installation has no such asset. */
export function assetsOf(assets: Assets, payment: ChargedPayment, { transfers }: Script): (Asset | null)[] {
  const { currency, method, assetCodes } = payment;
  // Assets of test networks are never simulated.
  const known = assets.of('live');
  const own = (assetCodes ?? []).map((code) => known.find(code));
  const named = own.find((asset) => asset?.currency === currency);
  const chosen = (method && known.find(method)) || named || known.defaultOf(currency);
  return transfers.map((kind) => {
    if (kind === 'chosen') return chosen;
    if (kind === 'other currency') return known.all.find((each) => each.currency !== currency) ?? null;
    return known.offered(currency).find(({ code }) => code !== chosen.code) ?? null;
  });
}
