import { type Currency, createAssets } from '../../src/money/assets.ts';
import { createTakeReports } from '../../src/networks/take-reports.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { showDue } from '../../src/payments/simulate/simulate.ts';
import type { ChainConfig } from '../../src/rails/evm/config/chains.ts';
import { createEvmRail } from '../../src/rails/evm/rail.ts';
import { createEndpoints, type Endpoint, type Endpoints } from '../../src/rails/evm/rpc/endpoints.ts';
import { createScanner } from '../../src/rails/evm/scan/scanner.ts';
import type { Rail } from '../../src/rails/rail.ts';
import { keepSteps, newTransfer } from '../../src/rails/simulated/rail.ts';
import { startChain, type TestChain } from '../chain/chain.ts';
import type { TestDatabase } from '../support/database.ts';
import { emptyTables, expireLeases } from '../support/database.ts';
import { bookArrival, noPayouts, silentLog, testClock } from '../support/fixtures.ts';
import { mortal } from '../support/mortal.ts';
import { openShop, type Shop, write } from '../support/payment-fixtures.ts';

/** A shop whose payments are paid over one rail, by whatever that rail calls a transfer. */
export type RailWorld = {
  shop: Shop;
  /** The name of the rail in the ledger. */
  rail: string;
  /** The customer sends these, together where the rail can. Units are the asset's own. */
  send(payment: Payment, transfers: { asset: string; units: bigint }[]): Promise<void>;
  /** The gateway looks: it sees what was sent, which is not final yet. */
  look(): Promise<void>;
  /** Time goes on until all that was sent is final, and the gateway looks. */
  settle(): Promise<void>;
  /** The chain goes on with nothing in it for us. */
  idle(): Promise<void>;
  /** Takes the newest blocks off the chain, with what was sent in them; not every rail has any. */
  reorg?(depth: number): Promise<void>;
  /** The gateway looks, and its process ends before that step outside it; false: it was done before. */
  lookAndDie?(step: number): Promise<boolean>;
  /** A new process goes on where the last one was killed. */
  restart(): Promise<void>;
};

/** What a rail has, beside what every rail does. */
export type RailTraits = {
  currency: Currency;
  /** The asset that payments are paid with. */
  own: string;
  /** Of the same currency, with other decimals; null: the rail has no second one. */
  sibling: string | null;
  /** Of another currency. */
  foreign: string | null;
  /** Whether there is nothing between what is seen and what is final. */
  isFinalAtOnce: boolean;
  /** Confirmations until money counts. */
  needed: number;
};

/** Assets of USDC with 6 and with 18 decimals, and one of another currency, where a rail has several. */
export const worldAssets = { six: 'usdc-erc20', eighteen: 'usdc-bep20', other: 'usdt-bep20' } as const;

type Database = TestDatabase['db'];

/** Opens the world of one rail on a database. */
export type OpenWorld = (db: Database) => Promise<RailWorld>;

/** The rails whose payments wait for confirmations. */
export const confirmedTraits: RailTraits = {
  currency: 'USDC',
  own: worldAssets.six,
  sibling: worldAssets.eighteen,
  foreign: worldAssets.other,
  isFinalAtOnce: false,
  needed: 3,
};

/** The simulated chain of test mode: final after 20 seconds of its own. */
export const simulatedWorld: OpenWorld = async (db) => {
  const shop = await openShop(db);
  const { integrationId } = shop.owner;
  const look = async (): Promise<void> => {
    await showDue(db, shop.deps, { integrationId });
  };
  const steps = [
    { afterSeconds: 0, state: 'seen', confirmations: 1 },
    { afterSeconds: 20, state: 'final', confirmations: 3 },
  ] as const;
  return {
    shop,
    rail: 'simulated',
    send: (payment, transfers) =>
      write(shop, (tx) =>
        keepSteps(
          tx,
          [
            {
              ...{ integrationId, paymentId: payment.id },
              steps: transfers.flatMap(({ asset, units }) => {
                const transfer = newTransfer(asset, units);
                return steps.map((step) => ({ ...step, transfer }));
              }),
            },
          ],
          shop.clock.now(),
        ),
      ),
    look,
    async settle() {
      shop.clock.advance(20);
      await look();
    },
    idle: async () => {},
    // It keeps nothing in memory.
    restart: async () => {},
  };
};

/**
 * A real EVM chain, its scanner, and forwarder addresses. `prepare` may change the chain's tokens, and answers what
 * else is configured. The clock of its blocks is so many seconds ahead of the gateway's, or behind it.
 */
export async function startEvmWorld(
  changes: Partial<ChainConfig> = {},
  prepare: (chain: TestChain) => Promise<Partial<ChainConfig>> = async () => ({}),
  aheadSeconds = 0,
): Promise<OpenWorld> {
  const { six, eighteen, other } = worldAssets;
  const chain = await startChain({ assets: { [six]: 6, [eighteen]: 18, [other]: 18 } });
  const config = chain.config({ ...changes, ...(await prepare(chain)) });
  const endpoints = createEndpoints({ chain: config });
  /** The blocks that follow have the chain's time at a moment of the gateway's, or that of the last one. */
  async function setTime(moment: Date): Promise<void> {
    const { timestamp } = await chain.client.getBlock();
    const seconds = Math.max(Math.floor(moment.getTime() / 1000) + aheadSeconds, Number(timestamp));
    await chain.client.request({ method: 'evm_setTime', params: [seconds] } as never);
  }
  return async (db) => {
    await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
    // What was sent in other worlds lies before this one's first block.
    const startBlock = await chain.client.getBlockNumber({ cacheTime: 0 });
    const { timestamp } = await chain.client.getBlock();
    const clock = testClock(new Date(Math.max(Date.now(), (Number(timestamp) - aheadSeconds) * 1000)));
    const { now } = clock;
    const rail: Rail = createEvmRail({
      chains: [config],
      assets: createAssets(),
      now,
    });
    const shop = await openShop(
      db,
      { approved: true, liveDeadlineSeconds: 600 },
      { mode: 'live', clock, rail },
    );
    const open = (onDb: Database = db, through: Endpoints = endpoints) =>
      createScanner({
        db: onDb,
        chain: { ...config, startBlock: Number(startBlock) },
        endpoints: through,
        take: createTakeReports({ ...shop.deps, sends: noPayouts, bookArrival, count: () => {} }),
        now,
        log: silentLog,
      });
    let scanner = open();
    await scanner.tick();
    await db.query('UPDATE evm_chains SET verified_at = now(), verified_assets = $1', [
      Object.values(worldAssets),
    ]);
    return {
      shop,
      rail: `evm:${config.id}`,
      async send(payment, transfers) {
        await setTime(now());
        const places = await rail.destinations(db, payment.id);
        for (const { asset, units } of transfers) {
          const { address } = places.find((each) => each.asset === asset)!;
          await chain.tokens[asset]!.send(address as `0x${string}`, units);
        }
      },
      look: () => scanner.tick(),
      async idle() {
        await setTime(now());
        await chain.mine(1);
      },
      async settle() {
        await setTime(now());
        await chain.mine(config.confirmations + 1);
        await scanner.tick();
      },
      async reorg(depth) {
        // One more than there were, so that the new chain is the longer one.
        await chain.client.request({ method: 'anvil_reorg', params: [depth, []] } as never);
        await setTime(now());
        await chain.mine(1);
        await scanner.tick();
      },
      async lookAndDie(step) {
        await expireLeases(db);
        const life = mortal(db);
        life.interrupt(step, false, async () => 'dies');
        const counted = (endpoint: Endpoint): Endpoint => ({
          ...endpoint,
          batch: (calls) => life.step(() => endpoint.batch(calls)),
        });
        const tick = open(life.db, {
          ...endpoints,
          use: (work, options) => endpoints.use((endpoint) => work(counted(endpoint)), options),
        }).tick();
        await tick.catch((error) => {
          if (!life.isDead()) throw error;
        });
        return life.isDead();
      },
      async restart() {
        await expireLeases(db);
        scanner = open();
      },
    };
  };
}
