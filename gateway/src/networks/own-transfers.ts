import type { Logger } from 'pino';
import { type Database, transaction } from '../kit/db/db.ts';
import type { StateDeps } from '../payments/payment/state.ts';
import {
  answeredAmong,
  answerRefund,
  noteLookedFor,
  type WaitingTransfer,
  waitingTransfers,
} from '../payments/refunds/own-transfers.ts';
import type { OwnTransfer } from '../rails/direct.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { RpcFault } from '../rails/evm/rpc/rpc-fault.ts';
import { type Agreement, Disagreement } from '../rails/evm/scan/blocks/agreement.ts';
import { finalOwnTransfers } from '../rails/evm/scan/own-transfers.ts';
import { createFaultLine } from '../rails/fault-line.ts';

export type OwnTransfersDeps = StateDeps & {
  db: Database;
  chain: ChainConfig;
  agreement: Agreement;
  log: Logger;
};

const everyMs = 10_000;
/** So many refunds are asked for at once: each has two topics of the logs. */
const atOnce = 400;
/** So many blocks are read at once; half as many after an endpoint refused. */
const mostBlocks = 1_000n;
const fewestBlocks = 4n;

/** Looks for the transfers by which merchants answer refunds of what is at their own addresses; asks nothing while none waits. */
export function createOwnTransfers(deps: OwnTransfersDeps) {
  const { db, chain, log, now } = deps;
  const name = `refunds of merchants on ${chain.name}`;
  const logFault = createFaultLine({ log, name, fields: { chain: chain.id }, now });
  let blocksAtOnce = mostBlocks;

  async function work(): Promise<void> {
    const waiting = await waitingTransfers(db, chain.id);
    try {
      for (let at = 0; at < waiting.length; at += atOnce)
        await lookFor({ ...deps, blocksAtOnce }, waiting.slice(at, at + atOnce));
      blocksAtOnce = least(blocksAtOnce * 2n, mostBlocks);
      logFault(null);
    } catch (error) {
      if (!(error instanceof RpcFault) && !(error instanceof Disagreement)) throw error;
      blocksAtOnce = blocksAtOnce > fewestBlocks ? blocksAtOnce / 2n : fewestBlocks;
      logFault(error.message);
    }
  }
  return { name: `own transfers ${chain.id}`, everyMs, work };
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

async function lookFor(
  deps: OwnTransfersDeps & { blocksAtOnce: bigint },
  waiting: readonly WaitingTransfer[],
): Promise<void> {
  const { db } = deps;
  const found = await finalOwnTransfers(deps, waiting);
  if (found === null) return;
  const { transfers, readTo } = found;
  // Read after what waits: what has answered since then is among these.
  const answered = await answeredAmong(
    db,
    transfers.map(({ key }) => key),
  );
  const open = transfers.filter(({ key }) => !answered.has(key));
  await answerEach(waiting, open, (refund, transfer) =>
    transaction(db, (tx) => answerRefund(tx, deps, refund, transfer)),
  );
  await noteLookedFor(
    db,
    waiting.map(({ id }) => id),
    readTo,
  );
}

/**
 * Answers each refund by the first transfer that fits it, the oldest refund first. `answer` returns false for one that was
 * cancelled meanwhile: it leaves the transfer to the next.
 */
export async function answerEach<
  R extends Fitting & { after: bigint },
  T extends Fitting & { block: bigint },
>(
  waiting: readonly R[],
  transfers: readonly T[],
  answer: (refund: R, transfer: T) => Promise<boolean>,
): Promise<void> {
  const open = [...waiting];
  for (const transfer of transfers) {
    let isUsed = false;
    while (!isUsed) {
      const at = open.findIndex((refund) => isSame(refund, transfer) && transfer.block > refund.after);
      const [refund] = at < 0 ? [] : open.splice(at, 1);
      if (!refund) break;
      isUsed = await answer(refund, transfer);
    }
  }
}

type Fitting = Pick<OwnTransfer, 'token' | 'from' | 'to' | 'units'>;

const isSame = (refund: Fitting, transfer: Fitting): boolean =>
  (['token', 'from', 'to', 'units'] as const).every((each) => refund[each] === transfer[each]);
