import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { accountByEmail, createAccount } from '../identity/accounts/accounts.ts';
import { commandActor, recordChange } from '../identity/audit/audit-log.ts';
import { createIntegration, type IntegrationId, type Mode } from '../identity/integration.ts';
import { approvalOf, decideApproval } from '../identity/integrations/approval.ts';
import { createSigningKey } from '../identity/keys/keys.ts';
import { createMerchant } from '../identity/merchants/merchants.ts';
import { type Database, type Tx, transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import type { Seal } from '../kit/seal.ts';
import { postAll, type Transfer } from '../ledger/ledger.ts';
import type { Asset } from '../money/assets.ts';
import { createUser } from '../wallets/users.ts';
import { createEndpoint, endpointSecret, setEndpointUrl } from '../webhooks/endpoints/endpoints.ts';
import { defaultEventTypes } from '../webhooks/events/event-types.ts';
import { type BtcpayKeys, keepBtcpayKeys } from './btcpay-keys.ts';
import type { DemoChain } from './chain/demo-chain.ts';
import { keepOwnWallet, type OwnWallet } from './own-wallet.ts';
import { keepPayoutKeys, type PayoutKeys } from './payout-keys.ts';
import type { DemoPi } from './pi/demo-pi.ts';

/** A demo chain as the file names it. */
type ChainPart = {
  rpc_url: string;
  chain_id: number;
  tokens: Record<string, string>;
  payer_private_key: string;
  /** The contract that payouts leave from. */
  vault: string;
};

/** The content of `DATA_DIR/demo.json` (contract.md#running), and the webhook endpoint of the demo shop. */
export type DemoFile = {
  base_url: string;
  pay_url: string;
  dashboard_url: string;
  shop_url: string;
  integration_id: IntegrationId;
  secret_key: string;
  live_secret_key: string;
  /** Missing in the file of an older version. */
  payout_keys?: PayoutKeys;
  /** The same; for shops that speak the BTCPay API. */
  btcpay_keys?: BtcpayKeys;
  /** The integration whose payments settle to a wallet of its own; it exists since the first start with a demo chain. */
  own_wallet?: OwnWallet;
  merchant: { email: string; password: string };
  operator: { email: string; password: string };
  users: { username: string; password: string }[];
  webhook_endpoint_id: string;
  /** The endpoint for live payments; it exists since the first start with a demo network. */
  live_webhook_endpoint_id?: string;
  /** Only while the demo chains run: the one of live mode, and the test network of test mode. */
  chain?: ChainPart;
  test_chain?: ChainPart;
  /** Only while the demo Pi network runs. */
  pi?: {
    horizon_url: string;
    network_passphrase: string;
    custody_account: string;
    payer_secret: string;
  };
};

/** The demo as it runs now: its file, and the secrets that the shop verifies webhooks with. */
export type Demo = { file: DemoFile; webhookSecret: string; liveWebhookSecret: string | null };

const shopName = 'Nib & Folio';
const demoUsers = ['john_doe', 'jane_doe'];
const businessBalance = 100_000n;
const userBalance = 1_000n;
const seedLock = 706_771_003;

type DemoDeps = {
  config: Config;
  db: Database;
  seal: Seal;
  chain: Pick<DemoChain, 'rpcUrl' | 'record'> | null;
  testChain?: DemoDeps['chain'];
  pi: Pick<DemoPi, 'url' | 'record'> | null;
  now: Date;
};

/**
 * Seeds the demo where it is wanted and the database knows no integration yet, and brings the addresses of
 * an earlier seed up to date; null where there is none.
 */
export async function prepareDemo(deps: DemoDeps): Promise<Demo | null> {
  const { config, db, seal, now } = deps;
  if (config.demo === 'never') return null;
  const file = await transaction(db, async (tx) => {
    // Several gateways may start at once: the first of them seeds.
    await tx.query('SELECT pg_advisory_xact_lock($1)', [seedLock]);
    const { rowCount } = await tx.query('SELECT FROM integrations LIMIT 1');
    const current = rowCount === 0 ? await writeSeed(tx, deps) : await refreshDemo(tx, deps);
    if (!current) return null;
    await makeAccounts(tx, current, now);
    const payoutKeys = await keepPayoutKeys(tx, { seal, now }, current.integration_id, {
      earlier: current.payout_keys,
      isLive: deps.chain !== null || deps.pi !== null,
    });
    const earlier = current.btcpay_keys;
    const btcpayKeys = await keepBtcpayKeys(tx, { seal, now }, current.integration_id, earlier);
    const keys = { payout_keys: payoutKeys, btcpay_keys: btcpayKeys };
    const complete = await withNetworks(tx, deps, { ...current, ...keys });
    // Before the commit: after a crash in between, the next start seeds again and overwrites the file.
    await writeDemoFile(config, complete);
    return complete;
  });
  if (!file) return null;
  const { webhook_endpoint_id: test, live_webhook_endpoint_id: live } = file;
  return {
    file,
    webhookSecret: await endpointSecret(db, seal, test),
    liveWebhookSecret: (file.chain || file.pi) && live ? await endpointSecret(db, seal, live) : null,
  };
}

/** Lets the shop take live payments while there are demo networks, which the file names. */
async function withNetworks(
  tx: Tx,
  deps: DemoDeps,
  { chain: _, test_chain: __, pi: ___, ...file }: DemoFile,
): Promise<DemoFile> {
  const { config, seal, chain, testChain = null, pi, now } = deps;
  if (!chain && !pi) return file;
  const id = file.integration_id;
  const { status } = await approvalOf(tx, id);
  // A decision of an operator in the dashboard is kept.
  if (status === 'none' || status === 'requested') {
    const decided = await decideApproval(tx, { id, decision: 'approve', reason: null }, now);
    await recordChange(tx, commandActor, decided.change, now);
  }
  return {
    ...file,
    live_webhook_endpoint_id: await keepShopEndpoint(
      tx,
      deps,
      { integrationId: id, mode: 'live' },
      file.live_webhook_endpoint_id,
    ),
    ...(chain && {
      chain: chainPart(chain),
      own_wallet: await keepOwnWallet(
        tx,
        { seal, assets: config.assets.all, now, chain, testChain },
        id,
        file.own_wallet,
      ),
    }),
    ...(testChain && { test_chain: chainPart(testChain) }),
    ...(pi && { pi: piPart(pi) }),
  };
}

function chainPart({ rpcUrl, record }: NonNullable<DemoDeps['chain']>): ChainPart {
  return {
    rpc_url: rpcUrl,
    chain_id: record.chain_id,
    tokens: record.tokens,
    payer_private_key: record.keys.payer,
    vault: record.vault,
  };
}

function piPart({ url, record }: NonNullable<DemoDeps['pi']>): NonNullable<DemoFile['pi']> {
  return {
    horizon_url: url,
    network_passphrase: record.passphrase,
    custody_account: record.custody_account,
    payer_secret: record.payer_secret,
  };
}

async function writeSeed(tx: Tx, deps: DemoDeps): Promise<DemoFile> {
  const { config, seal, now } = deps;
  const integrationId = await createIntegration(tx, { name: shopName, allowPrivateWebhooks: true }, now);
  const secretKey = await createSigningKey(tx, seal, { integrationId, mode: 'test' }, now);
  const liveSecretKey = await createSigningKey(tx, seal, { integrationId, mode: 'live' }, now);
  const users = demoUsers.map((username) => ({ username, password: password() }));
  const transfers: Transfer[] = seedTransfers(config, 'business', integrationId, businessBalance);
  for (const user of users) {
    const id = await createUser(tx, user, now);
    transfers.push(...seedTransfers(config, 'user', id, userBalance));
  }
  await postAll(tx, transfers, now);
  return {
    ...addresses(config),
    integration_id: integrationId,
    secret_key: secretKey,
    live_secret_key: liveSecretKey,
    merchant: { email: 'merchant@example.com', password: password() },
    operator: { email: 'operator@example.com', password: password() },
    users,
    webhook_endpoint_id: await keepShopEndpoint(tx, deps, { integrationId, mode: 'test' }),
  };
}

/** Makes the accounts of the file, also for a seed that is older than the dashboard. */
async function makeAccounts(tx: Tx, file: DemoFile, now: Date): Promise<void> {
  if (await accountByEmail(tx, file.merchant.email)) {
    // A seed of an earlier version did not mark its accounts.
    await tx.query(
      `UPDATE accounts a SET is_demo = true FROM integrations i JOIN merchants m ON m.id = i.merchant_id
       WHERE i.id = $1 AND a.created_at = m.created_at AND a.email = ANY ($2) AND NOT a.is_demo`,
      [file.integration_id, [file.merchant.email, file.operator.email]],
    );
    return;
  }
  const own = { emailVerified: true, isDemo: true };
  const ownerId = await createAccount(tx, { ...file.merchant, ...own, name: 'Demo merchant' }, now);
  const operator = { ...file.operator, ...own, name: 'Demo operator', isOperator: true };
  await createAccount(tx, operator, now);
  const merchantId = await createMerchant(tx, { name: shopName, ownerId }, now);
  await tx.query('UPDATE integrations SET merchant_id = $2 WHERE id = $1', [file.integration_id, merchantId]);
}

/** Transfers of test money that come from an external account of the demo; money of test networks comes from there alone. */
function seedTransfers(config: Config, kind: 'business' | 'user', owner: string, whole: bigint): Transfer[] {
  const simulated = config.assets.all.filter(({ isTest }) => !isTest);
  return simulated.map(({ code, scale }: Asset) => ({
    id: newId(),
    mode: 'test',
    asset: code,
    units: whole * 10n ** BigInt(scale),
    debit: { kind: 'external', owner: 'demo' },
    credit: { kind, owner },
    cause: 'demo_seed',
    causeId: null,
  }));
}

/** The file with the present addresses, which may have changed. Null where it is missing or of another database. */
async function refreshDemo(tx: Tx, deps: DemoDeps): Promise<DemoFile | null> {
  const { config } = deps;
  const text = await readFile(demoPath(config), 'utf8').catch(() => null);
  if (text === null) return null;
  const file: DemoFile = { ...(JSON.parse(text) as DemoFile), ...addresses(config) };
  const id = file.integration_id;
  const { rowCount } = await tx.query('SELECT FROM integrations WHERE id = $1', [id]);
  if (rowCount === 0) return null;
  return {
    ...file,
    webhook_endpoint_id: await keepShopEndpoint(
      tx,
      deps,
      { integrationId: id, mode: 'test' },
      file.webhook_endpoint_id,
    ),
  };
}

/** The shop's webhook endpoint, which is made again where somebody deleted it: the shop needs it. */
async function keepShopEndpoint(
  tx: Tx,
  { config, seal, now }: DemoDeps,
  owner: { integrationId: IntegrationId; mode: Mode },
  earlier?: string,
): Promise<string> {
  const url = `${shopUrl(config)}/webhook${owner.mode === 'live' ? '/live' : ''}`;
  if (earlier !== undefined && (await setEndpointUrl(tx, earlier, url, now))) return earlier;
  return (await createEndpoint(tx, seal, { ...owner, url, events: defaultEventTypes, now })).id;
}

function addresses(config: Config) {
  return {
    base_url: config.baseUrl,
    pay_url: config.payUrl,
    dashboard_url: `${config.baseUrl}/app/`,
    shop_url: shopUrl(config),
  };
}

function shopUrl({ shopPort }: Config): string {
  return `http://127.0.0.1:${shopPort}`;
}

function demoPath(config: Config): string {
  return join(config.dataDir, 'demo.json');
}

async function writeDemoFile(config: Config, file: DemoFile): Promise<void> {
  const fresh = `${demoPath(config)}.new`;
  await writeFile(fresh, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await rename(fresh, demoPath(config));
}

function password(): string {
  return randomBytes(12).toString('base64url');
}
