import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';
import type { IntegrationId } from '../../src/identity/integration.ts';
import type { Database } from '../../src/kit/db/db.ts';
import { createAssets } from '../../src/money/assets.ts';
import { numberOf } from '../../src/money/money.ts';
import { hasReference, openToPay } from '../../src/networks/payable.ts';
import { createPi, type Pi } from '../../src/networks/pi.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { createHorizons } from '../../src/rails/pi/horizon/horizons.ts';
import { type PiConfig, piScale } from '../../src/rails/pi/horizon/network.ts';
import { memoOfOwner } from '../../src/rails/pi/memos/memos.ts';
import { createPiBrowser, type PiBrowser } from '../../src/rails/pi/platform/browser.ts';
import type { Platform } from '../../src/rails/pi/platform/client.ts';
import type { PlatformDeps } from '../../src/rails/pi/platform/deps.ts';
import { recoverDue } from '../../src/rails/pi/platform/recover.ts';
import { createPiRail } from '../../src/rails/pi/rail.ts';
import { type Horizon, startHorizon } from '../horizon/horizon.ts';
import type { PaymentDto } from '../pi-platform/payment.ts';
import { type PlatformServer, startPiPlatform } from '../pi-platform/platform.ts';
import type { PiUser } from '../pi-platform/users.ts';
import { atFileEnd } from '../suite/endings.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { bookArrival, noHints, noPayouts, silentLog, testClock } from '../support/fixtures.ts';
import { openShop, payoutParts, type Shop } from '../support/payment-fixtures.ts';

/** A process of the gateway, as the Pi Browser meets it. */
export type PiProcess = {
  gateway: Pi;
  flow: PlatformDeps;
  browser: PiBrowser;
  /** It reads its account to the end. */
  read(): Promise<void>;
};

/** Does an exchange with Pi or its network, or not. */
type Around = <T>(exchange: () => Promise<T>) => Promise<T>;

/** A shop whose customers pay inside the Pi Browser: both sides of the platform, the network and the gateway. */
export type PiWorld = PiProcess & {
  shop: Shop;
  horizon: Horizon;
  /** The platform, and what the Pi app does for its users. */
  pi: PlatformServer;
  config: PiConfig;
  /** Another process of the gateway, on its own way to the database. */
  processOn(db: Database, around?: Around): PiProcess;
  /** A user of the Pi app with some PI. */
  user(): PiUser;
  /** A live payment of 10 PI, or of what is said. */
  order(amount?: number): Promise<Payment>;
  /** The customer presses the page's button; `wrong` is what a page that lies asks for instead. */
  begin(user: PiUser, payment: Payment, wrong?: Partial<Wanted>): Promise<PaymentDto>;
  /** What is due after some seconds is done. */
  after(seconds: number): Promise<void>;
};

type Wanted = { amount: number; memo: string; metadata: object };

export const coin = 10_000_000n;
export const asked = ({ id, reference }: Payment) => ({ paymentId: id, reference });

let worlds = 0;

/** Opens a world of its own; on the database of another one where that is given. */
export async function openPiWorld(database?: TestDatabase): Promise<PiWorld> {
  const { db } = database ?? (await testDatabase());
  const passphrase = `Florin Test Pi ${++worlds}`;
  // Deadlines are judged by the time of ledgers, so the network has the same clock.
  const clock = testClock(new Date());
  const horizon = await startHorizon({ passphrase, now: clock.now });
  const custody = Keypair.random();
  horizon.fund(custody.publicKey(), 100n * coin);
  const key = 'the-server-key-of-the-app';
  const pi = await startPiPlatform({
    horizonUrl: horizon.url,
    passphrase,
    app: { name: 'Florin', key, account: custody.publicKey() },
    now: clock.now,
  });
  const directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
  const keyFile = join(directory, 'platform.key');
  await writeFile(keyFile, `${key}\n`);
  const config: PiConfig = {
    passphrase,
    horizonUrls: [horizon.url],
    account: custody.publicKey(),
    explorer: null,
    platform: { url: pi.apiUrl, keyFile, sdkUrl: pi.sdkUrl, sandbox: true },
    signer: null,
    walletUrl: null,
  };
  const assets = createAssets();
  const rail = createPiRail({ pi: config, assets, now: clock.now });
  const state = { hints: noHints, assets, rail, now: clock.now, ...payoutParts(assets, clock.now) };
  const processOn: PiWorld['processOn'] = (own, around = (exchange) => exchange()) => {
    const nowMs = () => clock.now().getTime();
    const horizons = createHorizons({ pi: config });
    const gateway = createPi({
      ...state,
      db: own,
      pi: config,
      horizons: {
        ...horizons,
        use: (work) => horizons.use((one) => work({ ...one, get: (path) => around(() => one.get(path)) })),
      },
      nowMs,
      log: silentLog,
      sends: noPayouts,
      bookArrival,
      count: () => {},
    });
    const flow: PlatformDeps = {
      db: own,
      pi: config,
      platform: stepping(gateway.platform!, around),
      horizons: gateway.horizons,
      report: gateway.report,
      open: (tx, paymentId) => openToPay(tx, state, paymentId, 'pi'),
      isOurs: (reader, reference) => hasReference(reader, 'live', reference),
      wake: gateway.wake,
      now: clock.now,
      log: silentLog,
    };
    atFileEnd(() => gateway.disconnect());
    return { gateway, flow, browser: createPiBrowser(flow), read: () => readNow(gateway) };
  };
  atFileEnd(() => rm(directory, { recursive: true }));
  atFileEnd(() => horizon.stop());
  atFileEnd(() => pi.stop());
  const first = processOn(db);
  const { flow } = first;
  const shop = await openShop(db, { approved: true }, { mode: 'live', clock, rail });
  await first.read();
  let users = 0;
  return {
    shop,
    horizon,
    pi,
    config,
    ...first,
    processOn,
    user() {
      const user = pi.users.add({ username: `user ${++users}` });
      horizon.fund(user.wallet.publicKey(), 1_000n * coin);
      return user;
    },
    order: (amount = 10) => shop.create({ amount, currency: 'PI' }),
    async begin(user, payment, wrong = {}) {
      const memo = (await memoOfOwner(db, payment.id))!;
      const amount = numberOf(payment.amountDue!, piScale);
      const metadata = { reference: payment.reference };
      return pi.userSide.create(user, { amount, memo, metadata, ...wrong });
    },
    async after(seconds) {
      shop.clock.advance(seconds);
      await recoverDue(flow);
    },
  };
}

async function readNow({ wake, loops }: Pi): Promise<void> {
  wake();
  await loops.find(({ name }) => name === 'pi')!.work();
}

/** The same platform, with each exchange done by `around`. */
function stepping(platform: Platform, around: Around): Platform {
  return {
    ...platform,
    payment: (...args) => around(() => platform.payment(...args)),
    approve: (...args) => around(() => platform.approve(...args)),
    complete: (...args) => around(() => platform.complete(...args)),
    cancel: (...args) => around(() => platform.cancel(...args)),
  };
}

/** What is noted of a platform payment; undefined: nothing. */
export async function stateAt({ shop }: PiWorld, identifier: string): Promise<string | undefined> {
  const { rows } = await shop.db.query<{ state: string }>(
    'SELECT state FROM pi_platform_payments WHERE identifier = $1',
    [identifier],
  );
  return rows[0]?.state;
}

/** Units of PI that a kind of account of this owner holds. */
export async function held({ shop }: PiWorld, kind: string, owner: IntegrationId | 'pi'): Promise<bigint> {
  const { rows } = await shop.db.query<{ units: bigint }>(
    `SELECT coalesce(sum(e.units), 0) AS units FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
     WHERE a.kind = $1 AND a.owner = $2 AND a.asset = 'pi' AND a.mode = 'live'`,
    [kind, owner],
  );
  return rows[0]!.units;
}
