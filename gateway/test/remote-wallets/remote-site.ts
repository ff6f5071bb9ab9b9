import type { IntegrationId } from '../../src/identity/integration.ts';
import type { Database } from '../../src/kit/db/db.ts';
import { type IdempotencyKey, readIdempotencyKey } from '../../src/kit/http/idempotency.ts';
import { balancesOf } from '../../src/ledger/ledger.ts';
import { createAssets } from '../../src/money/assets.ts';
import { userFunding } from '../../src/wallets/fundings/purpose.ts';
import { createRemoteBackend } from '../../src/wallets/remote-backend.ts';
import { createRemoteWallets, type RemoteWallets } from '../../src/wallets/remote-wallets.ts';
import type { Funding, WalletBackend } from '../../src/wallets/wallet-backend.ts';
import {
  noHints,
  seedBalance,
  seedIntegration,
  silentLog,
  type TestClock,
  testClock,
} from '../support/fixtures.ts';
import { type Call, type Fault, type RemoteServer, startRemoteServer } from './remote-wallets-server.ts';

const asset = 'usdt-bep20';
/** What a backend needs for fundings that people approve. */
export const fundingDeps = {
  hints: noHints,
  sendings: [],
  purposes: { user_funding: userFunding(true) },
};
export const unit = 10n ** 18n;

/** A shop with 100 test USDT whose users' wallets are in another system, which knows `jane` alone. */
export type RemoteSite = {
  remote: RemoteServer;
  client: RemoteWallets;
  clock: TestClock;
  wallets: WalletBackend;
  shop: IntegrationId;
  clientWith(timeoutMs: number): RemoteWallets;
  /** As another process would have it. */
  backend(client: RemoteWallets, log?: typeof silentLog): WalletBackend;
  /** 30 USDT for jane. */
  funding(rest?: Partial<Funding>): Funding;
  keyFor(name: string, body?: string): IdempotencyKey;
  failing(call: Call, fault: Fault): void;
  heal(): void;
  /** Of the business, in whole USDT. */
  balance(): Promise<{ available: bigint; held: bigint }>;
  /** Of the credits in the remote's book. */
  states(): string[];
  close(): Promise<void>;
};

export async function startRemoteSite(db: Database, timeoutMs = 5_000): Promise<RemoteSite> {
  const remote = await startRemoteServer(['jane']);
  const clock = testClock();
  const { integrationId: shop } = await seedIntegration(db);
  await seedBalance(db, { kind: 'business', owner: shop, mode: 'test', asset, units: 100n * unit });
  const clientWith = (ms: number): RemoteWallets =>
    createRemoteWallets({ url: remote.url, token: remote.token, timeoutMs: ms });
  const backend = (client: RemoteWallets, log = silentLog): WalletBackend =>
    createRemoteBackend({ ...fundingDeps, db, now: clock.now, assets: createAssets(), log, remote: client });
  const client = clientWith(timeoutMs);

  return {
    remote,
    client,
    clock,
    wallets: backend(client),
    shop,
    clientWith,
    backend,
    funding: (rest = {}) => ({
      integrationId: shop,
      integrationName: 'Nib & Folio',
      mode: 'test',
      username: 'jane',
      asset,
      units: 30n * unit,
      uses: [],
      key: null,
      response: 'ok',
      ...rest,
    }),
    keyFor: (name, body = '') => readIdempotencyKey(name, `${shop} test fund-user`, Buffer.from(body))!,
    failing(call, fault) {
      remote.faultOf = (each) => (each === call ? fault : null);
    },
    heal() {
      remote.faultOf = () => null;
    },
    async balance() {
      const [found] = await balancesOf(db, { kind: 'business', owner: shop, mode: 'test' });
      return { available: found!.available / unit, held: found!.held / unit };
    },
    states: () => [...remote.book.values()].map(({ state }) => state),
    async close() {
      await remote.refuse();
      await client.close();
      // What a test left open is nothing to reconcile for the next one.
      await db.query("UPDATE remote_fundings SET state = 'voided' WHERE state = 'pending'");
    },
  };
}
