import type { Database } from '../../src/kit/db/db.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import type { ReserveDeps } from '../../src/treasury/reserves/reserves.ts';
import { expireLeases } from '../support/database.ts';
import { Killed, type Mortal, type Outcome } from '../support/mortal.ts';
import type { Shop } from '../support/payment-fixtures.ts';
import type { Disturbance, Part, Who } from './steps.ts';

/** One process of the gateway. */
export type Process = Mortal & {
  /** One round of one of its parts. */
  work(part: Part): Promise<void>;
  end(): Promise<void>;
};

/** Where a payout goes. */
export type Receiver = { to: string; memo: string | null };

/** What a network did: every amount that each receiver got, by `to memo`. */
export type PaidTo = ReadonlyMap<string, readonly bigint[]>;

export const receiverKey = ({ to, memo }: Receiver): string => `${to} ${memo ?? ''}`;

/** What people did, and the network does not know. */
export type Deeds = {
  /** Payouts that people ended unsent, by their ids. */
  ended: Set<string>;
  /** Destinations that the network itself refuses. */
  refused: Set<string>;
  /** What could not be taken though nobody was killed. */
  faults: string[];
};

/** One schedule on one network, while it is played. */
export type Stage<Network> = {
  db: Database;
  shop: Shop;
  /** The codes of its assets. */
  assets: readonly string[];
  payments: Payment[];
  processes: [Process, Process];
  deeds: Deeds;
  startProcess(): Process;
  create(asset: number): Promise<Payment>;
  pay(payment: Payment, payer: number, thousandths: number): Promise<void>;
  receiver(): Receiver;
  /** One thing happens to the network. */
  play(step: Network): Promise<void>;
  /** The network goes on, or changes its mind, at a moment that a process did not expect. */
  shake(): Promise<void>;
  /** Time goes by. */
  pass(seconds: number): Promise<void>;
  /** Whatever was broken is well again. */
  mend(): Promise<void>;
  /** The operator provides for what is ordered: money where payouts leave from, gas, room within limits. */
  provide(): Promise<void>;
  /** The network goes on until what is on it is final. */
  goOn(): Promise<void>;
  /** The network goes on by itself, where it does so without anything to happen. */
  idle(): Promise<void>;
  /** What is still to be read, reported or sent; null: nothing. */
  left(): Promise<string | null>;
  paidTo(): Promise<PaidTo>;
  /** All that the network itself shows is held, by asset. */
  held(): Promise<ReadonlyMap<string, bigint>>;
  reserves: ReserveDeps;
  /** Why held and owed differ, as the network itself says, beside receivables: amounts by asset, none of them 0. */
  explained(): Promise<Map<string, Map<string, bigint>>>;
  close(): Promise<void>;
};

/** One round of a process, in the middle of which something may happen. */
export async function round<N>(
  stage: Stage<N>,
  who: Who,
  disturbance: Disturbance | null,
  work: (process: Process) => Promise<void>,
): Promise<void> {
  const process = stage.processes[who];
  const happened = disturbance ? disturb(stage, who, disturbance) : null;
  try {
    await work(process);
  } catch (error) {
    // A process that was killed answers for nothing.
    if (!process.isDead() || !(error instanceof Killed)) throw error;
  }
  process.calm();
  // A process does not wait for every endpoint that it asks, and may be done before this is.
  await happened?.();
  if (process.isDead()) await restart(stage, who);
}

/** Has something happen to a process. Returns what waits until that is over, if it has begun. */
function disturb<N>(stage: Stage<N>, who: Who, { at, what }: Disturbance): () => Promise<unknown> {
  const overtake = async (): Promise<Outcome> => {
    await expireLeases(stage.db);
    const other = who === 0 ? 1 : 0;
    await round(stage, other, null, ({ work }) => work('read'));
    await round(stage, other, null, ({ work }) => work('send'));
    return 'lives';
  };
  const shake = async (): Promise<Outcome> => {
    await stage.shake();
    return 'lives';
  };
  const happenings: Record<Disturbance['what'], () => Promise<Outcome>> = {
    killed: async () => 'dies',
    'killed after': async () => 'dies after',
    shaken: shake,
    overtaken: overtake,
    'shaken, overtaken': async () => {
      await shake();
      return await overtake();
    },
  };
  let happening: Promise<Outcome> | null = null;
  stage.processes[who].interrupt(at + 1, what.endsWith('overtaken'), () => {
    happening = happenings[what]();
    return happening;
  });
  return async () => await happening;
}

/** A new process takes the place of one that ended without a word, once its lease has run out. */
export async function restart<N>(stage: Stage<N>, who: Who): Promise<void> {
  await stage.processes[who].end();
  stage.processes[who] = stage.startProcess();
  await expireLeases(stage.db);
}
