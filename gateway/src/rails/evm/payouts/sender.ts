import { after } from '../../../kit/clock.ts';
import { keepLease, LeaseLost, leaveLease, takeLease } from '../../../kit/db/lease.ts';
import { newId } from '../../../kit/ids.ts';
import { createReporter } from '../../report.ts';
import { SendFault } from '../../signing/send-fault.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { createAgreement, Disagreement } from '../scan/blocks/agreement.ts';
import { createFates } from '../send/fate.ts';
import { KeyFault } from '../send/key.ts';
import type { PayoutDeps } from './deps.ts';
import { awaitHand } from './no-signer.ts';
import { isBusy, OrdersChanged } from './orders.ts';
import { payoutOutbox } from './outbox.ts';
import { createVaultReader } from './read-vault.ts';
import { runRound } from './round.ts';
import { noteSenderFault } from './sender-state.ts';

export type PayoutSender = {
  /**
   * One round: reads what the vault did, follows the transactions under way, sends what is ordered, and reports what
   * changed. A known fault is logged once and shown to operators; other faults are thrown.
   */
  tick(): Promise<void>;
  /** Reports what is due to be reported. */
  report(): Promise<void>;
};

/** After a process was killed, another one continues within this time and one interval of its own. */
const leaseSeconds = 15;
/** While nothing is under way, the vault's events are read this often. */
const readSeconds = 60;

/** Makes the sender of one chain's vault. Any number of processes may have one; only one works at a time. */
export function createPayoutSender(deps: PayoutDeps): PayoutSender {
  const { db, chain, endpoints, now, log } = deps;
  const terms = { name: `evm payouts ${chain.id}`, holder: newId(now()), seconds: leaseSeconds };
  const agreement = createAgreement(endpoints, now, log);
  const readVault = createVaultReader(deps, agreement);
  const isSure = createFates({ db, chain, agreement, log });
  const { reportDue } = createReporter({ ...deps, outbox: payoutOutbox(chain) });

  async function round(): Promise<void> {
    const lock = await takeLease(db, terms);
    if (!lock) return;
    const stopKeeping = keepLease(db, lock);
    try {
      const read = await readVault(lock);
      const { readKey } = deps;
      if (readKey === null) await awaitHand(deps);
      else await runRound({ ...deps, readKey, agreement, isSure }, lock, read);
    } finally {
      stopKeeping();
      // The lock runs out by itself where the database cannot be reached.
      await leaveLease(db, terms).catch(() => {});
    }
  }

  async function tick(): Promise<void> {
    try {
      // Endpoints are asked when there is something to ask for.
      if (await isBusy(db, chain.id, now(), after(now(), -readSeconds))) await round();
    } catch (error) {
      if (error instanceof LeaseLost || error instanceof OrdersChanged) return;
      const isKnown = [RpcFault, Disagreement, SendFault, KeyFault].some((each) => error instanceof each);
      if (!(error instanceof Error) || !isKnown) throw error;
      const isNew = await noteSenderFault(db, chain.id, error.message);
      if (isNew) log.warn({ chain: chain.id, fault: error.message }, 'paying out needs attention');
    }
  }

  async function report(): Promise<void> {
    while (await reportDue());
  }

  return {
    async tick() {
      await tick();
      await report();
    },
    report,
  };
}
