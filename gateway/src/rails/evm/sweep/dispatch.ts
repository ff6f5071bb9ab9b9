import { newId } from '../../../kit/ids.ts';
import { factoryAddress } from '../addresses/forwarders.ts';
import { submit } from './advance.ts';
import { sweepCall } from './calls.ts';
import type { SendDeps } from './deps.ts';
import { feesAt, gweiText, weiOfGwei } from './fees.ts';
import type { Plan } from './plan.ts';
import { noteLeftOut } from './record.ts';
import { nextNonce, type Prepared, prepare, type UnderWay } from './under-way.ts';
import { countOf, type View } from './view.ts';

type Calls = Pick<Prepared, 'token' | 'treasury' | 'payments' | 'units' | 'gasLimit'>;

/**
 * Sends the batches of a plan under the next free nonces, and adds them to `open`. Returns what keeps it from
 * that, in words, or null.
 */
export async function dispatch(
  deps: SendDeps,
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
    await sendNext(
      { ...deps, gasPrice },
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
export async function fillGap(deps: SendDeps, view: View, open: UnderWay[]): Promise<void> {
  const { key, log, chain } = deps;
  const first = open.find(({ sender }) => sender === key.address);
  const free = nextNonce(countOf(view, key.address), key.address, open);
  if (!first || first.state === 'mined' || free > first.nonce) return;
  log.warn({ chain: chain.id, nonce: free }, 'a nonce below the first sweep that waits is free: it is used');
  const { token, treasury, payments, units, gasLimit } = first;
  await sendNext(deps, { token, treasury, payments, units, gasLimit }, view, open);
}

async function sendNext(deps: SendDeps, calls: Calls, view: View, open: UnderWay[]): Promise<void> {
  const { db, chain, lock, key, gasPrice, now, log } = deps;
  const fees = feesAt(gasPrice, weiOfGwei(chain.sweep.maxGasPriceGwei));
  if (fees === null) return;
  const nonce = nextNonce(countOf(view, key.address), key.address, open);
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
  await prepare(db, lock, chain.id, made, attempt);
  const nothingYet = { hash: null, minedAt: null, overtakenAt: null, fault: null };
  open.push({ ...made, ...nothingYet, state: 'prepared', attempts: [attempt] });
  log.info({ chain: chain.id, nonce, hash, deposits: calls.payments.length }, 'a sweep is sent');
  await submit(deps, made.id, attempt);
}
