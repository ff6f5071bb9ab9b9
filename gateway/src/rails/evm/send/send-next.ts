import type { Tx } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { submit } from './advance.ts';
import type { SenderDeps } from './deps.ts';
import { feesAt, weiOfGwei } from './fees.ts';
import { nextNonce, type Prepared, prepare, type UnderWay } from './under-way.ts';
import { countOf, type View } from './view.ts';

export type Calls = Pick<Prepared, 'token' | 'treasury' | 'owners' | 'units' | 'gasLimit'>;

/** Signs calls under the next free nonce, writes that down, sends it, and adds it to `open`. */
export async function sendNext(deps: SenderDeps, calls: Calls, view: View, open: UnderWay[]): Promise<void> {
  const { db, chain, lock, key, gasPrice, work, now, log } = deps;
  const fees = feesAt(gasPrice, weiOfGwei(chain.sweep.maxGasPriceGwei));
  if (fees === null) return;
  const nonce = nextNonce(countOf(view, key.address), key.address, open);
  const { hash, signed } = await key.sign({
    chainId: chain.id,
    nonce,
    ...(await work.call(calls)),
    gas: calls.gasLimit,
    fees,
  });
  const made = { ...calls, id: newId(now()), sender: key.address, nonce };
  const attempt = { hash, signed, fees, createdAt: now() };
  const also = async (tx: Tx) => work.prepared?.(tx, made);
  await prepare(db, lock, made, { chainId: chain.id, kind: work.kind, attempt, also });
  const nothingYet = { hash: null, minedAt: null, overtakenAt: null, fault: null, isRival: false };
  open.push({ ...made, ...nothingYet, state: 'prepared', attempts: [attempt] });
  log.info({ chain: chain.id, nonce, hash, of: calls.owners.length }, `a ${work.kind} is sent`);
  await submit(deps, made.id, attempt);
}

/**
 * Uses a free nonce below ours, where a reorg removed the transaction of another program: ours above it would wait for
 * ever. The calls of the first one that waits are signed under it too. What is moved already is not moved twice.
 */
export async function fillGap(deps: SenderDeps, view: View, open: UnderWay[]): Promise<void> {
  const { key, log, chain, work } = deps;
  const first = open.find(({ sender }) => sender === key.address);
  const free = nextNonce(countOf(view, key.address), key.address, open);
  if (!first || first.state === 'mined' || free > first.nonce) return;
  log.warn(
    { chain: chain.id, nonce: free },
    `a nonce below the first ${work.kind} that waits is free: it is used`,
  );
  const { token, treasury, gasLimit } = first;
  const { owners, units } = (await work.stillDue?.(first, true)) ?? first;
  await sendNext(deps, { token, treasury, owners, units, gasLimit }, view, open);
}
