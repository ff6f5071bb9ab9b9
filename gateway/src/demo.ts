import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { accountByEmail, createAccount } from './identity/accounts.ts';
import { createSigningKey } from './identity/keys.ts';
import { createMerchant } from './identity/merchants.ts';
import { createIntegration, type IntegrationId } from './identity/service.ts';
import type { Asset } from './kit/assets.ts';
import { type Database, type Tx, transaction } from './kit/db.ts';
import { newId } from './kit/ids.ts';
import type { Seal } from './kit/seal.ts';
import { postAll, type Transfer } from './ledger/service.ts';
import { createUser } from './wallets/users.ts';
import { defaultEventTypes } from './webhooks/event-types.ts';
import { createEndpoint, endpointSecret, setEndpointUrl } from './webhooks/service.ts';

/** What `DATA_DIR/demo.json` holds (contract.md 8), and how the demo shop hears of its payments. */
export type DemoFile = {
  base_url: string;
  pay_url: string;
  dashboard_url: string;
  shop_url: string;
  integration_id: IntegrationId;
  secret_key: string;
  live_secret_key: string;
  merchant: { email: string; password: string };
  operator: { email: string; password: string };
  users: { username: string; password: string }[];
  webhook_endpoint_id: string;
};

/** The demo as it runs now: its file, and the secret that the shop verifies webhooks with. */
export type Demo = { file: DemoFile; webhookSecret: string };

const shopName = 'Nib & Folio';
const demoUsers = ['john_doe', 'jane_doe'];
const businessBalance = 100_000n;
const userBalance = 1_000n;
const seedLock = 706_771_003;

type DemoDeps = { config: Config; db: Database; seal: Seal; now: Date };

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
    if (current) await makeAccounts(tx, current, now);
    // Before the commit: a crash in between seeds anew, and the file is written over.
    if (current) await writeDemoFile(config, current);
    return current;
  });
  if (!file) return null;
  return { file, webhookSecret: await endpointSecret(db, seal, file.webhook_endpoint_id) };
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
    webhook_endpoint_id: await createShopEndpoint(tx, deps, integrationId),
  };
}

/** Lets the people of the file sign in to the dashboard; those of a seed that is older than it, too. */
async function makeAccounts(tx: Tx, file: DemoFile, now: Date): Promise<void> {
  if (await accountByEmail(tx, file.merchant.email)) return;
  const ownerId = await createAccount(
    tx,
    { ...file.merchant, name: 'Demo merchant', emailVerified: true },
    now,
  );
  const operator = { ...file.operator, name: 'Demo operator', emailVerified: true, isOperator: true };
  await createAccount(tx, operator, now);
  const merchantId = await createMerchant(tx, { name: shopName, ownerId }, now);
  await tx.query('UPDATE integrations SET merchant_id = $2 WHERE id = $1', [file.integration_id, merchantId]);
}

/** Test money out of nowhere, which is what test money is: the other side is an account of its own. */
function seedTransfers(config: Config, kind: 'business' | 'user', owner: string, whole: bigint): Transfer[] {
  return config.assets.all.map(({ code, scale }: Asset) => ({
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

/** The addresses may have changed since the seed. Null where `demo.json` is missing or of another database. */
async function refreshDemo(tx: Tx, deps: DemoDeps): Promise<DemoFile | null> {
  const { config, now } = deps;
  const text = await readFile(demoPath(config), 'utf8').catch(() => null);
  if (text === null) return null;
  const file: DemoFile = { ...(JSON.parse(text) as DemoFile), ...addresses(config) };
  if (await setEndpointUrl(tx, file.webhook_endpoint_id, shopWebhookUrl(config), now)) return file;
  const { rowCount } = await tx.query('SELECT FROM integrations WHERE id = $1', [file.integration_id]);
  if (rowCount === 0) return null;
  return { ...file, webhook_endpoint_id: await createShopEndpoint(tx, deps, file.integration_id) };
}

/** How the shop hears of its payments; made anew where somebody deleted it, for the shop is deaf without. */
async function createShopEndpoint(
  tx: Tx,
  { config, seal, now }: DemoDeps,
  integrationId: IntegrationId,
): Promise<string> {
  const url = shopWebhookUrl(config);
  const owner = { integrationId, mode: 'test' } as const;
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

function shopWebhookUrl(config: Config): string {
  return `${shopUrl(config)}/webhook`;
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
