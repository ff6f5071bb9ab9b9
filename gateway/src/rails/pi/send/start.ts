import { after } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db/db.ts';
import { type Lease, writeUnderLease } from '../../../kit/db/lease.ts';
import { decimalOf } from '../../../money/money.ts';
import { SendFault } from '../../signing/send-fault.ts';
import type { Horizon } from '../horizon/horizon.ts';
import { piCodeOf, piScale } from '../horizon/network.ts';
import { adopt } from './adopt.ts';
import type { SendDeps } from './deps.ts';
import { accountOf, buildEnvelope, checkSigned } from './envelope.ts';
import { findTwin, type Twin } from './fate.ts';
import { giveUp, postpone } from './outcome.ts';
import { type Envelope, insertEnvelope, isRead, lastSequence, noteLooked, type Ready } from './record.ts';
import { type AccountView, type Ledger, readAccount, readFee, readLedger } from './view.ts';

/** How long a transaction is valid: some fifteen ledgers, and its fate is known soon. */
const validSeconds = 90;
/** A Horizon whose newest ledger is older than this is behind. */
const staleSeconds = 60;
/** The network has always taken 0.01 PI. More than ten times that is taken for a mistake, and is not paid. */
const mostFee = 1_000_000n;

type Facts = {
  ledger: Ledger;
  account: AccountView;
  /** Null: it does not exist. */
  to: AccountView | null;
  fee: bigint;
  twin: Twin | null;
};

/** What to do about an order: sign it, fail it, or let it wait. */
type Verdict = { kind: 'sign' } | { kind: 'fail' | 'wait'; why: string };

/**
 * Signs the transaction of an order and writes it; null where the order is not to be sent now. It is not submitted yet.
 * Throws HorizonFault, LeaseLost, and SendFault with a fault that keeps every order from being sent.
 */
export async function signOrder(deps: SendDeps, lock: Lease, send: Ready): Promise<Envelope | null> {
  const { db, pi, horizons, signer, now } = deps;
  const { value: facts } = await horizons.use((horizon) => readFacts(db, horizon, deps, send));
  await requireFit(deps, facts);
  const maxFee = await feeToOffer(db, send.id, facts.fee);
  if (facts.twin?.how === 'named') {
    await adopt(deps, lock, send, facts.twin);
    return null;
  }
  if (!facts.twin) await noteLooked(db, send.id, facts.ledger.closedAt);
  const verdict = decide(send, facts, maxFee);
  if (verdict.kind === 'wait') await postpone(deps, lock, send, verdict.why);
  if (verdict.kind === 'fail') await giveUp(deps, lock, send.id, verdict.why);
  if (verdict.kind !== 'sign') return null;

  const sequence = facts.account.sequence + 1n;
  const maxTime = after(facts.ledger.closedAt, validSeconds);
  const { units, destination, memo } = send;
  const built = await buildEnvelope(pi, { sequence, destination, memo, units, maxFee, maxTime });
  const envelope = await signer.sign(built.envelope, pi.passphrase);
  await checkSigned(pi.passphrase, built, envelope, facts.account);
  const made: Envelope = {
    hash: built.hash,
    sendId: send.id,
    envelope,
    sequence,
    maxFee,
    maxTime,
    refusal: null,
    createdAt: now(),
  };
  await writeUnderLease(db, lock, async (tx) => {
    await insertEnvelope(tx, pi, made);
    const { sendId: id, hash: transaction, createdAt: at } = made;
    await deps.report(tx, { rail: piCodeOf(pi), id, state: 'sending', transaction, why: null, at });
  });
  return made;
}

/** Asks one Horizon for everything, so that the parts fit together. */
async function readFacts(reader: Reader, horizon: Horizon, { pi }: SendDeps, send: Ready): Promise<Facts> {
  const ledger = await readLedger(horizon);
  const account = await readAccount(horizon, pi.account, ledger);
  if (!account) throw new SendFault('The custody account does not exist on its network');
  return {
    ledger,
    account,
    to: await readAccount(horizon, await accountOf(send.destination), ledger),
    fee: await readFee(horizon),
    twin: await findTwin(reader, horizon, pi, send),
  };
}

/** Throws SendFault where no order may be sent by what Horizon shows. */
async function requireFit({ db, pi, now }: SendDeps, { ledger, account, fee }: Facts): Promise<void> {
  // Money that leaves before the reading begins would never be booked.
  if (!(await isRead(db, pi))) throw new SendFault('The custody account is not read yet');
  const used = await lastSequence(db, pi);
  if (ledger.closedAt < after(now(), -staleSeconds) || account.sequence < used) {
    throw new SendFault(`Horizon is behind: its last ledger closed at ${ledger.closedAt.toISOString()}`);
  }
  if (fee > mostFee) {
    throw new SendFault(
      `The network asks for a fee of ${pis(fee)}, and more than ${pis(mostFee)} is not to be paid`,
    );
  }
}

function decide(send: Ready, { account, to, twin }: Facts, maxFee: bigint): Verdict {
  if (twin?.how === 'ours') return { kind: 'wait', why: `Transaction ${twin.hash} is waited for` };
  if (twin) {
    const why = `Transaction ${twin.hash} sent the same already: look at it before it is sent again`;
    return { kind: 'fail', why };
  }
  // An order that was signed before fails only by its transaction in a ledger.
  if (!send.wasSigned) {
    if (!to) return { kind: 'fail', why: 'The account that it was to go to does not exist' };
    if (to.needsMemo && send.memo === null) {
      return { kind: 'fail', why: 'The account that it was to go to asks for a memo' };
    }
  }
  const needed = send.units + maxFee;
  if (account.spendable >= needed) return { kind: 'sign' };
  const has = account.spendable > 0n ? account.spendable : 0n;
  return {
    kind: 'wait',
    why: `The custody account can send ${pis(has)} of the ${pis(needed)} that are needed`,
  };
}

/** The fee to offer: twice what was too little before. The network takes only what it needs. */
async function feeToOffer(reader: Reader, sendId: string, fee: bigint): Promise<bigint> {
  const { rows } = await reader.query<{ most: bigint | null }>(
    `SELECT max(max_fee) AS most FROM pi_envelopes WHERE send_id = $1 AND said LIKE 'tx_insufficient_fee%'`,
    [sendId],
  );
  const raised = 2n * (rows[0]?.most ?? 0n);
  const bid = raised > fee ? raised : fee;
  return bid < mostFee ? bid : mostFee;
}

const pis = (units: bigint): string => `${decimalOf(units, piScale)} PI`;
