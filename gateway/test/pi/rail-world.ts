import { Memo } from '@stellar/stellar-sdk';
import { afterAll } from 'vitest';
import { after } from '../../src/kit/clock.ts';
import { createAssets } from '../../src/money/assets.ts';
import { createPi, type Pi } from '../../src/networks/pi.ts';
import type { PiConfig } from '../../src/rails/pi/horizon/network.ts';
import { createPiRail } from '../../src/rails/pi/rail.ts';
import { startHorizon } from '../horizon/horizon.ts';
import type { RailTraits, RailWorld } from '../schedules/rail-worlds.ts';
import type { TestDatabase } from '../support/database.ts';
import { emptyTables, expireLeases } from '../support/database.ts';
import { bookArrival, noPayouts, silentLog, testClock } from '../support/fixtures.ts';
import { openShop } from '../support/payment-fixtures.ts';
import { type Order, pay } from './driver.ts';
import { openNetwork, type PiNetwork } from './network.ts';

/** One asset, whose transfers are final as soon as Horizon has them. */
export const piTraits: RailTraits = {
  ...{ currency: 'PI', own: 'pi', sibling: null, foreign: null },
  ...{ isFinalAtOnce: true, needed: 1 },
};

export type PiRailWorld = RailWorld & {
  network: PiNetwork;
  /** The account that all money comes to. */
  account: string;
  /** A customer has this in the next ledger, which closes. Returns its hash. */
  pay(order: Order): string;
};

/**
 * A Pi network with a Horizon, and a gateway that reads an account of its own for each world. Its ledgers close by a
 * clock that is so many seconds ahead of the gateway's, or behind it.
 */
export async function startPiWorld(
  aheadSeconds = 0,
): Promise<(db: TestDatabase['db']) => Promise<PiRailWorld>> {
  const clock = testClock(new Date());
  const network = openNetwork(() => after(clock.now(), aheadSeconds));
  const horizon = await startHorizon({ core: network.core, closeMs: null });
  const opened: Pi[] = [];
  afterAll(async () => {
    await Promise.all(opened.map(({ disconnect }) => disconnect()));
    await horizon.stop();
  });

  return async (db) => {
    await emptyTables(db, 'leases, pi_accounts, pi_records, pi_memos');
    const account = network.openAccount(10n ** 9n).publicKey();
    const passphrase = network.core.passphrase;
    const none = { explorer: null, platform: null, signer: null, walletUrl: null };
    const config: PiConfig = { ...none, passphrase, horizonUrls: [horizon.url], account };
    const rail = createPiRail({
      ...{ pi: config, assets: createAssets(), now: clock.now },
    });
    const setting = { mode: 'live', clock, rail } as const;
    const shop = await openShop(db, { approved: true, liveDeadlineSeconds: 600 }, setting);
    const open = (): Pi => {
      const nowMs = () => clock.now().getTime();
      const pi = createPi({
        ...shop.deps,
        db,
        pi: config,
        nowMs,
        log: silentLog,
        sends: noPayouts,
        bookArrival,
        count: () => {},
      });
      opened.push(pi);
      return pi;
    };
    let pi = open();
    async function look(): Promise<void> {
      pi.wake();
      for (const { work } of pi.loops) await work();
    }
    await look();
    const payAs = (order: Order): string => {
      const hash = network.send(network.payers[0]!, order);
      network.core.close();
      return hash;
    };
    return {
      ...{ shop, network, account, look },
      rail: 'pi',
      async send(payment, transfers) {
        const [place] = await rail.destinations(db, payment.id);
        const operations = transfers.map(({ units }) => pay(place!.address, units));
        payAs({ operations, memo: Memo.text(place!.memo!) });
      },
      pay: payAs,
      settle: look,
      async idle() {
        network.core.close();
      },
      async restart() {
        await pi.disconnect();
        await expireLeases(db);
        pi = open();
      },
    };
  };
}
