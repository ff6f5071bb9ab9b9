import { after } from '../../../kit/clock.ts';
import { writeUnderLease } from '../../../kit/db/lease.ts';
import { broadcast } from './broadcast.ts';
import type { SenderDeps } from './deps.ts';
import { raised, weiOfGwei } from './fees.ts';
import { nextStep, stuckSeconds } from './next-step.ts';
import { noteFault, noteMined, noteOvertaken, noteSent, noteUnmined, settle } from './record.ts';
import { type Attempt, newestAttempt, prepareAgain, type UnderWay } from './under-way.ts';
import type { Receipt, View } from './view.ts';

/** Takes the next step of one transaction under way. */
export async function advanceTransaction(deps: SenderDeps, each: UnderWay, view: View): Promise<void> {
  const { db, chain, work, log, now } = deps;
  const facts = { chain: chain.id, nonce: each.nonce };
  const newest = newestAttempt(each);
  const isStuck = after(newest.createdAt, stuckSeconds(chain.blockSeconds)) <= now();
  const step = nextStep(each, view, isStuck);
  switch (step.kind) {
    case 'mined':
      await noteItMined(deps, each, step.receipt);
      return;
    case 'final':
      await noteItMined(deps, each, step.receipt);
      if (await deps.isSure(each, { kind: 'mined', ...step.receipt })) await finish(deps, each, step.receipt);
      return;
    case 'unmined':
      log.warn(
        { ...facts, hash: each.hash },
        `the block of a ${work.kind} was taken out of the chain: it is sent again`,
      );
      await noteUnmined(db, each.id);
      await sendAgain(deps, each, newest, false);
      return;
    case 'overtaken':
      log.warn(facts, `a nonce of the key of ${work.kind}s was used by a transaction that is none of ours`);
      await noteOvertaken(db, each.id, view.head);
      return;
    case 'not overtaken':
      await noteOvertaken(db, each.id, null);
      await sendAgain(deps, each, newest, false);
      return;
    case 'replaced':
      if (await deps.isSure(each, { kind: 'replaced' })) await noteItReplaced(deps, each);
      return;
    case 'replace':
      await sendAgain(deps, each, newest, true);
      return;
    case 'send':
      await sendAgain(deps, each, newest, false);
      return;
    case 'wait':
      return;
  }
}

async function noteItMined(
  { db, chain, work, log }: SenderDeps,
  each: UnderWay,
  receipt: Receipt,
): Promise<void> {
  await noteMined(db, each.id, { ...receipt, units: work.moved(each, receipt) ?? each.units });
  const facts = { chain: chain.id, nonce: each.nonce, hash: receipt.hash };
  log.info({ ...facts, of: each.owners.length }, `a ${work.kind} is mined`);
}

async function finish(deps: SenderDeps, each: UnderWay, receipt: Receipt): Promise<void> {
  const { db, chain, lock, work, log, now } = deps;
  const fault = await writeUnderLease(db, lock, async (tx) => {
    const fault = await work.finish(tx, each, receipt);
    await settle(tx, each.id, { state: receipt.succeeded ? 'final' : 'failed', fault, at: now() });
    return fault;
  });
  if (fault !== null) log.error({ chain: chain.id, hash: receipt.hash, of: each.owners.length }, fault);
}

async function noteItReplaced({ db, lock, now }: SenderDeps, { id }: UnderWay): Promise<void> {
  const ended = { state: 'replaced', fault: 'another program used the nonce', at: now() } as const;
  await writeUnderLease(db, lock, (tx) => settle(tx, id, ended));
}

/** The fault of a transaction whose bytes must not be sent again, and that cannot be signed again. */
export const carriesEnded = 'It carries what has ended, so that it is not sent again';

/**
 * Sends the newest bytes again. Where they carry an order that has ended, or are stuck, the nonce is signed again with
 * a higher fee and only with the orders that still stand, which may be none.
 */
async function sendAgain(deps: SenderDeps, each: UnderWay, newest: Attempt, isStuck: boolean): Promise<void> {
  const { db, chain, key, gasPrice, work, log, now } = deps;
  const { owners, units } = (await work.stillDue?.(each, false)) ?? each;
  const hasEnded = owners.length < each.owners.length;
  if (!hasEnded && !isStuck) return await submit(deps, each.id, newest);
  const cap = weiOfGwei(chain.sweep.maxGasPriceGwei);
  const fees = key.address === each.sender ? raised(newest.fees, gasPrice, cap) : null;
  if (fees === null) {
    const why =
      key.address === each.sender
        ? `more than ${chain.sweep.maxGasPriceGwei} gwei is not to be offered`
        : 'its key is another one than is configured now';
    if (!hasEnded) await submit(deps, each.id, newest);
    await noteFault(db, each.id, hasEnded ? `${carriesEnded}: ${why}` : `stuck, and ${why}`);
    return;
  }
  const { hash, signed } = await key.sign({
    chainId: chain.id,
    nonce: each.nonce,
    ...(await work.call({ ...each, owners })),
    gas: each.gasLimit,
    fees,
  });
  const attempt = { hash, signed, fees, createdAt: now() };
  await prepareAgain(db, deps.lock, { id: each.id, owners, units }, attempt);
  const why = hasEnded
    ? 'carries what has ended: it is signed anew without'
    : 'is stuck: it is offered for more';
  log.warn({ chain: chain.id, nonce: each.nonce, hash }, `a ${work.kind} ${why}`);
  await submit(deps, each.id, attempt);
}

/** Broadcasts an attempt, and notes the outcome. */
export async function submit(
  { db, chain, endpoints, work, log }: Pick<SenderDeps, 'db' | 'chain' | 'endpoints' | 'work' | 'log'>,
  id: string,
  { hash, signed }: Attempt,
): Promise<void> {
  const outcome = await broadcast(endpoints, signed);
  if (typeof outcome === 'string') {
    // If the nonce is used up, the receipts of the next round say by which transaction.
    await noteSent(db, id);
    return;
  }
  log.warn(
    { chain: chain.id, hash, fault: outcome.fault },
    `a ${work.kind} was not taken, and is sent again`,
  );
  await noteFault(db, id, outcome.fault);
}
