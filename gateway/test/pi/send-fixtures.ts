import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk/base';
import { type Database, transaction } from '../../src/kit/db/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { createHttpSender } from '../../src/kit/net/safe-fetch.ts';
import { createHorizons } from '../../src/rails/pi/horizon/horizons.ts';
import type { PiConfig } from '../../src/rails/pi/horizon/network.ts';
import { createPlatform } from '../../src/rails/pi/platform/client.ts';
import { createPiReader } from '../../src/rails/pi/read/reader.ts';
import type { SendDeps, SendPlatform } from '../../src/rails/pi/send/deps.ts';
import { orderSend } from '../../src/rails/pi/send/order.ts';
import { createOrderSender, type OrderSender } from '../../src/rails/pi/send/sender.ts';
import { sendOf } from '../../src/rails/pi/send/sent.ts';
import { createSigner } from '../../src/rails/pi/send/signer.ts';
import type { Outflow, SendOrder, SendReport } from '../../src/rails/rail.ts';
import type { SignerConfig } from '../../src/rails/signing/signer-config.ts';
import { type Horizon, patient, startHorizon } from '../horizon/horizon.ts';
import { startPiPlatform } from '../pi-platform/platform.ts';
import { atFileEnd } from '../suite/endings.ts';
import { silentLog, testClock } from '../support/fixtures.ts';
import type { Mortal } from '../support/mortal.ts';
import { takeEach } from '../support/take-each.ts';

export const coin = 10_000_000n;

/** A file with that content, gone when the tests are done. */
export async function secretFile(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-test-'));
  atFileEnd(() => rm(folder, { recursive: true }));
  const file = join(folder, 'secret');
  await writeFile(file, content, { mode: 0o600 });
  return file;
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** A network with a custody account of 1,000 PI, and what orders, sends and reads there. */
export async function openDesk(db: Database, options: { closeMs?: null; submitTimeoutMs?: number } = {}) {
  const clock = testClock();
  const horizon: Horizon = await startHorizon({ ...options, now: clock.now });
  atFileEnd(() => horizon.stop());
  const custody = Keypair.random();
  const customer = Keypair.random();
  horizon.fund(custody.publicKey(), 1000n * coin);
  horizon.fund(customer.publicKey(), 10n * coin);
  const pi: PiConfig = {
    passphrase: horizon.passphrase,
    horizonUrls: [horizon.url],
    account: custody.publicKey(),
    explorer: null,
    platform: null,
    signer: { kind: 'file', keyFile: await secretFile(`${custody.secret()}\n`) },
    walletUrl: null,
  };
  const horizons = createHorizons({
    pi,
    nowMs: () => clock.now().getTime(),
    ...patient,
  });
  atFileEnd(() => horizons.close());
  const http = createHttpSender();
  atFileEnd(() => http.close());
  const signerOf = (config: SignerConfig) => createSigner(config, http);

  const failures: { id: string; why: string }[] = [];
  const states: SendReport['state'][] = [];
  let isStopped = false;
  const outflows: Outflow[] = [];
  const ids: string[] = [];
  const deps: SendDeps = {
    db,
    pi,
    horizons,
    signer: signerOf(pi.signer!),
    platform: null,
    isStopped: async () => isStopped,
    report: async (_, { id, state, why }) => {
      states.push(state);
      if (state === 'failed') failures.push({ id, why: why ?? '' });
    },
    now: clock.now,
    log: silentLog,
  };
  const reader = createPiReader({
    db,
    pi,
    horizons,
    take: takeEach({ outflow: async (_, outflow) => outflows.push(outflow) }),
    sendOf: (tx, hash) => sendOf(tx, hash, clock.now()),
    now: clock.now,
    nowMs: () => clock.now().getTime(),
    log: silentLog,
  });
  atFileEnd(() => reader.disconnect());
  await reader.tick();

  return {
    db,
    clock,
    horizon,
    custody,
    customer,
    pi,
    deps,
    reader,
    signerOf,
    /** The failures that were reported. */
    failures,
    /** Stops all signing, or lets it go on. */
    stop(stopped: boolean) {
      isStopped = stopped;
    },
    /** The states that were reported, of all orders. */
    states,
    outflows,
    /** The orders of the outflows that were reported, in the order in which they left: reports of several may cross. */
    async sentInOrder(): Promise<string[]> {
      const { rows } = await db.query<{ id: string }>(
        `SELECT send_id AS id FROM pi_records
         WHERE account = $1 AND direction = 'out' AND send_id IS NOT NULL ORDER BY paging_token`,
        [pi.account],
      );
      return rows.map(({ id }) => id);
    },
    /** Every order that was given. */
    ids,
    sender: (others: Partial<SendDeps> = {}): OrderSender => createOrderSender({ ...deps, ...others }),
    /** Orders 2 PI for the customer unless it says otherwise. */
    order: async (changes: Partial<SendOrder> = {}): Promise<string> => {
      // Ids of one millisecond have no order.
      clock.advance(0.001);
      const order = {
        id: newId(clock.now()),
        asset: 'pi',
        units: 2n * coin,
        to: customer.publicKey(),
        memo: 'R1',
      };
      const wanted = { ...order, ...changes };
      await transaction(db, (tx) => orderSend(tx, pi, wanted, clock.now()));
      ids.push(wanted.id);
      return wanted.id;
    },
    standing: (id: string) => stateOfArrival(db, id),
    /** Time goes by, and a ledger closes. */
    pass: (seconds: number) => {
      clock.advance(seconds);
      horizon.close();
    },
    /** What the network shows to have left the account, oldest first. */
    paid: () => paymentsOf(horizon, custody.publicKey()),
    balance: (account: Keypair = custody) => horizon.core.accounts.get(account.publicKey())?.units ?? 0n,
  };
}

/** A Pi platform on the network of a desk, with one user, who has a wallet. */
export async function openPlatform({ pi: { passphrase, account }, horizon, clock }: Desk) {
  const key = 'server-key';
  const app = { name: 'florin', key, account };
  const server = await startPiPlatform({ horizonUrl: horizon.url, passphrase, app, now: clock.now });
  atFileEnd(() => server.stop());
  const user = server.users.add({ username: 'ada' });
  horizon.fund(user.wallet.publicKey(), 5n * coin);
  const keyFile = await secretFile(key);
  const platform = createPlatform({ url: server.apiUrl, keyFile, sdkUrl: server.sdkUrl, sandbox: true });
  atFileEnd(() => platform.close());
  return { server, platform, user };
}

export type Paid = { hash: string; to: string; amount: string; memo: string | null };

async function paymentsOf({ url }: Horizon, account: string): Promise<Paid[]> {
  const paid: Paid[] = [];
  for (let cursor = ''; ; ) {
    const path = `${url}/accounts/${account}/payments?limit=200&join=transactions${cursor}`;
    // biome-ignore lint/suspicious/noExplicitAny: what the stand-in shows
    const page = (await (await fetch(path)).json()) as any;
    const { records } = page._embedded;
    for (const { from, to, amount, transaction_hash: hash, transaction: sent } of records) {
      if (from === account) paid.push({ hash, to, amount, memo: sent.memo ?? null });
    }
    if (records.length < 200) return paid;
    cursor = `&cursor=${records.at(-1).paging_token}`;
  }
}

export type EnvelopeRow = {
  hash: string;
  send_id: string;
  state: string;
  sequence: bigint;
  max_fee: bigint;
  max_time: Date;
  said: string | null;
};

export async function envelopes(db: Database): Promise<EnvelopeRow[]> {
  const { rows } = await db.query<EnvelopeRow>(
    `SELECT hash, send_id, state, sequence, max_fee, max_time, said FROM pi_envelopes ORDER BY created_at, sequence`,
  );
  return rows;
}

/** What keeps the account from sending. */
export async function senderFault(db: Database, { passphrase, account }: PiConfig): Promise<string | null> {
  const { rows } = await db.query<{ fault: string | null }>(
    'SELECT fault FROM pi_senders WHERE passphrase = $1 AND account = $2',
    [passphrase, account],
  );
  return rows[0]?.fault ?? null;
}

/** What a process has of the world outside, each exchange with it counted. */
export function outside(life: Mortal, { horizons, signer, platform }: SendDeps): Partial<SendDeps> {
  const counted = <T extends object>(target: T, names: readonly string[]): T =>
    new Proxy(target, {
      get(of, name) {
        const value = Reflect.get(of, name) as unknown;
        if (typeof value !== 'function' || !names.includes(name as string)) return value;
        return (...args: unknown[]) => life.step(async () => await value.apply(of, args));
      },
    });
  return {
    db: life.db,
    horizons: {
      ...horizons,
      use: (work, options) => horizons.use((horizon) => work(counted(horizon, ['get', 'submit'])), options),
    },
    signer: counted(signer, ['sign']),
    platform:
      platform && counted<SendPlatform>(platform, ['create', 'incomplete', 'payment', 'complete', 'cancel']),
  };
}

type LedgerHead = { state: 'queued' | 'signed' | 'settled' | 'failed'; fault: string | null };

async function stateOfArrival(db: Database, id: string): Promise<LedgerHead | null> {
  const { rows } = await db.query<LedgerHead>('SELECT state, fault FROM pi_sends WHERE id = $1', [id]);
  return rows[0] ?? null;
}
