import { Keypair } from '@stellar/stellar-sdk';
import type { Logger } from 'pino';
import { afterCommit, type Database, transaction } from '../../src/kit/db/db.ts';
import { newId } from '../../src/kit/ids.ts';
import type { Arrival } from '../../src/rails/owner.ts';
import { createHorizons, type Horizons } from '../../src/rails/pi/horizon/horizons.ts';
import type { PiConfig } from '../../src/rails/pi/horizon/network.ts';
import { memoOfOwner, openMemos } from '../../src/rails/pi/memos/memos.ts';
import type { SendOf } from '../../src/rails/pi/movements/outbox.ts';
import { createPiReader, type PiReader } from '../../src/rails/pi/read/reader.ts';
import type { Observation, Outflow, UnmatchedDeposit } from '../../src/rails/rail.ts';
import { type Horizon, patient, startHorizon } from '../horizon/horizon.ts';
import { expireLeases } from '../support/database.ts';
import { silentLog, type TestClock, testClock } from '../support/fixtures.ts';
import { takeEach } from '../support/take-each.ts';

export const coin = 10_000_000n;
export const fee = 100_000n;

/** A network with an account that receives, somebody who pays, and a clock for everybody. */
export type PiWorld = {
  clock: TestClock;
  horizon: Horizon;
  custody: Keypair;
  payer: Keypair;
  pi: PiConfig;
};

export async function openPi(setting: { clock?: TestClock; hasAccount?: boolean } = {}): Promise<PiWorld> {
  const { clock = testClock(new Date()), hasAccount = true } = setting;
  const horizon = await startHorizon({ now: clock.now, closeMs: null });
  const [custody, payer] = [Keypair.random(), Keypair.random()];
  if (hasAccount) horizon.fund(custody.publicKey(), 20n * coin);
  horizon.fund(payer.publicKey(), 1_000_000n * coin);
  const pi: PiConfig = {
    passphrase: horizon.passphrase,
    horizonUrls: [horizon.url],
    account: custody.publicKey(),
    explorer: null,
    platform: null,
    signer: null,
    walletUrl: null,
  };
  return { clock, horizon, custody, payer, pi };
}

/** What payments heard, of what was committed. */
export type Heard = {
  transfers: Observation[];
  unmatched: UnmatchedDeposit[];
  outflows: Outflow[];
  arrived: Arrival[];
};

export type Reading = Heard & {
  horizons: Horizons;
  reader: PiReader;
  /** Called before anything is heard, where a test wants that to fail. */
  onReport: ((what: Observation | UnmatchedDeposit | Outflow) => void) | null;
  /** A payment with its memo. */
  open(): Promise<{ id: string; memo: string }>;
  tick(times?: number): Promise<void>;
  /** Another reader, as after a crash of this one's process: its lease has run out. */
  restart(): Promise<void>;
};

export type ReadingSetting = {
  pi?: Partial<PiConfig>;
  db?: Database;
  isBegun?: boolean;
  maxBytes?: number;
  log?: Logger;
  sendOf?: SendOf;
};

/** A reader of a world's account that has read up to now. */
export async function openReading(
  db: Database,
  world: PiWorld,
  setting: ReadingSetting = {},
): Promise<Reading> {
  const { clock } = world;
  const pi = { ...world.pi, ...setting.pi };
  const nowMs = () => clock.now().getTime();
  const { maxBytes } = setting;
  const horizons = createHorizons({
    pi,
    nowMs,
    ...patient,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const heard: Heard = { transfers: [], unmatched: [], outflows: [], arrived: [] };
  const hear =
    <T extends Observation | UnmatchedDeposit | Outflow>(list: T[]) =>
    async (tx: Parameters<typeof afterCommit>[0], what: T) => {
      reading.onReport?.(what);
      afterCommit(tx, () => list.push(what));
    };
  const make = () =>
    createPiReader({
      db: setting.db ?? db,
      pi,
      horizons,
      take: takeEach({
        transfer: hear(heard.transfers),
        unmatched: hear(heard.unmatched),
        outflow: hear(heard.outflows),
        arrival: async (tx, arrival) => afterCommit(tx, () => heard.arrived.push(arrival)),
      }),
      sendOf: setting.sendOf ?? (async () => null),
      now: clock.now,
      log: setting.log ?? silentLog,
      nowMs,
    });
  const reading: Reading = {
    ...heard,
    horizons,
    reader: make(),
    onReport: null,
    async open() {
      const id = newId();
      await transaction(db, (tx) => openMemos(tx, [id], clock.now()));
      return { id, memo: (await memoOfOwner(db, id))! };
    },
    async tick(times = 1) {
      for (let count = 0; count < times; count++) await reading.reader.tick();
    },
    async restart() {
      await expireLeases(db);
      reading.reader = make();
    },
  };
  if (setting.isBegun ?? true) await reading.tick();
  return reading;
}

/** What was told last of each transfer, as `state units`, in the order of their first sight. */
export function standing({ transfers }: Heard, paymentId?: string): string[] {
  const last = new Map<string, string>();
  for (const each of transfers) {
    if (paymentId === undefined || each.paymentId === paymentId)
      last.set(each.key, `${each.state} ${each.units}`);
  }
  return [...last.values()];
}
