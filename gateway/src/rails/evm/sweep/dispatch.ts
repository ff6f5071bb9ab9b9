import type { SenderDeps } from '../send/deps.ts';
import { gweiText, weiOfGwei } from '../send/fees.ts';
import { sendNext } from '../send/send-next.ts';
import type { UnderWay } from '../send/under-way.ts';
import type { View } from '../send/view.ts';
import { ownersOf, type Plan } from './plan.ts';
import { noteLeftOut } from './record.ts';

/**
 * Sends the batches of a plan under the next free nonces, and adds them to `open`. Returns why it cannot, in words, or
 * null.
 */
export async function dispatch(
  deps: SenderDeps,
  { gasPrice, batches, leftOut }: Plan,
  view: View,
  open: UnderWay[],
): Promise<string | null> {
  const { db, chain, now } = deps;
  const left = leftOut.map(({ deposit: { token, address }, reason }) => ({ token, address, reason }));
  await noteLeftOut(db, chain.id, left, now());
  const { maxGasPriceGwei } = chain.sweep;
  if (batches.length > 0 && gasPrice.price > weiOfGwei(maxGasPriceGwei)) {
    return `Gas costs ${gweiText(gasPrice.price)}, more than the ${maxGasPriceGwei} gwei of max_gas_price_gwei`;
  }
  for (const { deposits, ...calls } of batches) {
    await sendNext({ ...deps, gasPrice }, { ...calls, owners: ownersOf(deposits) }, view, open);
  }
  return null;
}
