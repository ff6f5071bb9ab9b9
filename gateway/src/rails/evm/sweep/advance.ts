import { after } from '../../../kit/clock.ts';
import { transaction } from '../../../kit/db/db.ts';
import { factoryAddress, forwarderAddress } from '../addresses/forwarders.ts';
import { broadcast } from './broadcast.ts';
import { resultOf, sweepCall } from './calls.ts';
import type { SendDeps } from './deps.ts';
import { raised, weiOfGwei } from './fees.ts';
import {
  forgetLeftOut,
  noteFault,
  noteLeftOut,
  noteMined,
  noteOvertaken,
  noteSent,
  noteUnmined,
  settle,
} from './record.ts';
import { type Attempt, newestAttempt, prepareAgain, type UnderWay } from './under-way.ts';
import { countOf, type Receipt, type View } from './view.ts';

/** A transaction that is not mined after this many blocks is offered anew for more. */
const stuckBlocks = 10;
const stuckSecondsAtLeast = 60;

export function stuckSeconds(blockSeconds: number): number {
  return Math.max(stuckSecondsAtLeast, stuckBlocks * blockSeconds);
}

/** What is to be done for a transaction under way, by what the chain shows. */
export type Step =
  | { kind: 'mined' | 'final'; receipt: Receipt }
  | { kind: 'unmined' | 'send' | 'replace' | 'overtaken' | 'not overtaken' | 'replaced' | 'wait' };

/** Decides it from the facts alone. `isStuck`: its newest attempt is old. */
export function nextStep(each: UnderWay, view: View, isStuck: boolean): Step {
  const receipts = each.attempts.flatMap(({ hash }) => view.receipts.get(hash) ?? []);
  const [receipt] = receipts;
  if (receipt) {
    if (receipt.blockNumber <= view.final) return { kind: 'final', receipt };
    return each.hash === receipt.hash ? { kind: 'wait' } : { kind: 'mined', receipt };
  }
  // An endpoint that has not come so far yet says nothing of it.
  if (each.minedAt !== null && view.head < each.minedAt) return { kind: 'wait' };
  if (each.state === 'mined') return { kind: 'unmined' };
  const count = countOf(view, each.sender);
  if (count > each.nonce) {
    // Believed once the block in which it was first seen is final.
    if (each.overtakenAt === null) return { kind: 'overtaken' };
    return { kind: each.overtakenAt <= view.final ? 'replaced' : 'wait' };
  }
  if (each.overtakenAt !== null) return { kind: 'not overtaken' };
  // Those above the chain's next nonce wait for those before them, at whatever price.
  return { kind: isStuck && each.state === 'sent' && count === each.nonce ? 'replace' : 'send' };
}

/** Takes one transaction a step further. */
export async function advance(deps: SendDeps, each: UnderWay, view: View): Promise<void> {
  const { db, chain, log, now } = deps;
  const facts = { chain: chain.id, nonce: each.nonce };
  const newest = newestAttempt(each);
  const isStuck = after(newest.createdAt, stuckSeconds(chain.blockSeconds)) <= now();
  const step = nextStep(each, view, isStuck);
  switch (step.kind) {
    case 'mined':
      await mined(deps, each, step.receipt);
      return;
    case 'final':
      await mined(deps, each, step.receipt);
      await finish(deps, each, step.receipt);
      return;
    case 'unmined':
      log.warn(
        { ...facts, hash: each.hash },
        'the block of a sweep was taken out of the chain: it is sent again',
      );
      await noteUnmined(db, each.id);
      await submit(deps, each.id, newest);
      return;
    case 'overtaken':
      log.warn(facts, 'a nonce of the gas key was used by a transaction that is none of ours');
      await noteOvertaken(db, each.id, view.head);
      return;
    case 'not overtaken':
      await noteOvertaken(db, each.id, null);
      await submit(deps, each.id, newest);
      return;
    case 'replaced':
      await settle(db, each.id, { state: 'replaced', fault: 'another program used the nonce', at: now() });
      return;
    case 'replace':
      await replace(deps, each, newest);
      return;
    case 'send':
      await submit(deps, each.id, newest);
      return;
    case 'wait':
      return;
  }
}

async function mined({ db, chain, log }: SendDeps, each: UnderWay, receipt: Receipt): Promise<void> {
  const { moved, failed } = resultOf(receipt.logs, each);
  await noteMined(db, each.id, { ...receipt, units: moved ?? each.units });
  const facts = { chain: chain.id, nonce: each.nonce, hash: receipt.hash };
  log.info({ ...facts, deposits: each.payments.length - failed.length }, 'a sweep is mined');
}

/** It stays on the chain: what it moved is settled, and what it passed over is tried again later. */
async function finish({ db, chain, log, now }: SendDeps, each: UnderWay, receipt: Receipt): Promise<void> {
  const { succeeded } = receipt;
  const failed = succeeded ? resultOf(receipt.logs, each).failed : each.payments;
  const reason = succeeded ? 'it failed when the sweep was mined' : 'the sweep was reverted';
  const addressOf = (payment: string) => forwarderAddress(each.treasury, payment);
  const moved = each.payments.filter((payment) => !failed.includes(payment)).map(addressOf);
  const left = failed.map((payment) => ({ token: each.token, address: addressOf(payment), reason }));
  await transaction(db, async (tx) => {
    await forgetLeftOut(tx, chain.id, each.token, moved);
    await noteLeftOut(tx, chain.id, left, now());
    await settle(tx, each.id, {
      state: succeeded ? 'final' : 'failed',
      fault: left.length > 0 ? reason : null,
      at: now(),
    });
  });
  if (left.length > 0) {
    log.error({ chain: chain.id, hash: receipt.hash, deposits: left.length }, reason);
  }
}

/** Offers the same calls under the same nonce for more. */
async function replace(deps: SendDeps, each: UnderWay, newest: Attempt): Promise<void> {
  const { db, chain, key, gasPrice, log, now } = deps;
  const cap = weiOfGwei(chain.sweep.maxGasPriceGwei);
  const fees = key.address === each.sender ? raised(newest.fees, gasPrice, cap) : null;
  if (fees === null) {
    const why =
      key.address === each.sender
        ? `stuck, and more than ${chain.sweep.maxGasPriceGwei} gwei is not to be offered`
        : 'stuck, and its gas key is another one than is configured now';
    await submit(deps, each.id, newest);
    await noteFault(db, each.id, why);
    return;
  }
  const { hash, signed } = await key.sign({
    chainId: chain.id,
    nonce: each.nonce,
    to: factoryAddress,
    data: sweepCall(each.token, each.treasury, each.payments),
    gas: each.gasLimit,
    fees,
  });
  const attempt = { hash, signed, fees, createdAt: now() };
  await prepareAgain(db, deps.lock, each.id, attempt);
  log.warn({ chain: chain.id, nonce: each.nonce, hash }, 'a sweep is stuck: it is offered for more');
  await submit(deps, each.id, attempt);
}

/** Hands an attempt to the chain, and notes what was said. */
export async function submit(
  { db, chain, endpoints, log }: Pick<SendDeps, 'db' | 'chain' | 'endpoints' | 'log'>,
  id: string,
  { hash, signed }: Attempt,
): Promise<void> {
  const outcome = await broadcast(endpoints, signed);
  if (typeof outcome === 'string') {
    // A nonce that is used up is judged by the receipts of the next round.
    await noteSent(db, id);
    return;
  }
  log.warn({ chain: chain.id, hash, fault: outcome.fault }, 'a sweep was not taken, and is sent again');
  await noteFault(db, id, outcome.fault);
}
