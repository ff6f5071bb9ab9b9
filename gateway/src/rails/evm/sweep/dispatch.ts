import { newId } from '../../../kit/ids.ts';
import { factoryAddress } from '../addresses/forwarders.ts';
import { sweepCall } from './calls.ts';
import { feesAt, gweiText, weiOfGwei } from './fees.ts';
import { hand, type Lane } from './follow.ts';
import type { Plan } from './plan.ts';
import { noteLeftOut } from './record.ts';
import { nextNonce, type Prepared, prepare, takeLane, type UnderWay } from './sender-lock.ts';
import type { View } from './view.ts';

type Calls = Pick<Prepared, 'token' | 'treasury' | 'payments' | 'units' | 'gasLimit'>;

/**
 * Sends the batches of a plan under the next free nonces, and adds them to `open`. Returns what keeps it from
 * that, in words, or null.
 */
export async function dispatch(
  lane: Lane,
  { gasPrice, batches, leftOut }: Plan,
  view: View,
  open: UnderWay[],
): Promise<string | null> {
  const { db, chain, now } = lane;
  const left = leftOut.map(({ deposit: { token, address }, reason }) => ({ token, address, reason }));
  await noteLeftOut(db, chain.id, left, now());
  const { maxGasPriceGwei } = chain.sweep;
  if (batches.length > 0 && gasPrice.price > weiOfGwei(maxGasPriceGwei)) {
    return `Gas costs ${gweiText(gasPrice.price)}, more than the ${maxGasPriceGwei} gwei of max_gas_price_gwei`;
  }
  for (const { deposits, ...calls } of batches) {
    await sendNext(
      { ...lane, gasPrice },
      { ...calls, payments: deposits.map(({ paymentId }) => paymentId) },
      view,
      open,
    );
  }
  return null;
}

/**
 * Where a reorg took a transaction out that was another program's, ours above it would wait for ever: its nonce
 * is used by the calls of the first that waits. What is moved already is not moved twice.
 */
export async function fillGap(lane: Lane, view: View, open: UnderWay[]): Promise<void> {
  const { key, log, chain } = lane;
  const first = open.find(({ sender }) => sender === key.address);
  const free = nextNonce(view.counts.get(key.address)!, key.address, open);
  if (!first || first.state === 'mined' || free > first.nonce) return;
  log.warn({ chain: chain.id, nonce: free }, 'a nonce below the first sweep that waits is free: it is used');
  const { token, treasury, payments, units, gasLimit } = first;
  await sendNext(lane, { token, treasury, payments, units, gasLimit }, view, open);
}

async function sendNext(lane: Lane, calls: Calls, view: View, open: UnderWay[]): Promise<void> {
  const { db, chain, key, holder, gasPrice, now, log } = lane;
  const fees = feesAt(gasPrice, weiOfGwei(chain.sweep.maxGasPriceGwei));
  if (fees === null) return;
  // Each takes its time; the lane is held for as long as it goes on.
  await takeLane(db, chain.id, holder);
  const nonce = nextNonce(view.counts.get(key.address)!, key.address, open);
  const { hash, signed } = await key.sign({
    chainId: chain.id,
    nonce,
    to: factoryAddress,
    data: sweepCall(calls.token, calls.treasury, calls.payments),
    gas: calls.gasLimit,
    fees,
  });
  const made = { ...calls, id: newId(now()), sender: key.address, nonce };
  const attempt = { hash, signed, fees, createdAt: now() };
  await prepare(db, { chainId: chain.id, holder }, made, attempt);
  const nothingYet = { hash: null, minedAt: null, overtakenAt: null, fault: null };
  open.push({ ...made, ...nothingYet, state: 'prepared', attempts: [attempt] });
  log.info({ chain: chain.id, nonce, hash, deposits: calls.payments.length }, 'a sweep is sent');
  await hand(lane, made.id, attempt);
}
