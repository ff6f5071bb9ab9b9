import { randomBytes } from 'node:crypto';
import { createAccount } from '../../../gateway/src/identity/accounts/accounts.ts';
import { commandActor, recordChange } from '../../../gateway/src/identity/audit/audit-log.ts';
import { createIntegration, type IntegrationId } from '../../../gateway/src/identity/integration.ts';
import { decideApproval } from '../../../gateway/src/identity/integrations/approval.ts';
import { createRestrictedKey } from '../../../gateway/src/identity/keys/key-changes.ts';
import { createSigningKey } from '../../../gateway/src/identity/keys/keys.ts';
import { createMerchant } from '../../../gateway/src/identity/merchants/merchants.ts';
import { type Database, type Tx, transaction } from '../../../gateway/src/kit/db/db.ts';
import { newId } from '../../../gateway/src/kit/ids.ts';
import type { Seal } from '../../../gateway/src/kit/seal.ts';
import { postAll } from '../../../gateway/src/ledger/ledger.ts';
import { changePayoutSettings } from '../../../gateway/src/payouts/rules/settings.ts';
import { createUser } from '../../../gateway/src/wallets/users.ts';
import { createEndpoint, endpointSecret } from '../../../gateway/src/webhooks/endpoints/endpoints.ts';
import { eventTypes } from '../../../gateway/src/webhooks/events/event-types.ts';
import type { Receivers } from './receivers.ts';
import type { Keys, Merchant, Mode, Receiver, World } from './world.ts';

type Deps = { db: Database; seal: Seal; receivers: Receivers; now: Date };

const merchants = 3;
/** The last one settles directly in this asset. */
const ownAsset = 'usdc-bep20';
const modes: readonly Mode[] = ['test', 'live'];
const actions = ['make payouts', 'make refunds', 'read payments', 'read balances', 'read events'];
/** So that payouts go out at once, to any address. */
const open = { enabled: true, approvals: 0, approveAbove: {}, knownAddressesOnly: false };
/** Whole units of test money that each business has at first in each of these assets. */
const testMoney = { units: 100_000n, scales: { 'usdc-bep20': 18, 'usdt-bep20': 18, 'csk-bep20': 18, pi: 7 } };

export const usernames = ['john_doe', 'jane_doe', 'mary_major', 'richard_miles'];

/** Whom a new installation serves: businesses with approved live mode and receivers, an operator, and users. */
export async function makePeople(
  deps: Deps,
  { withUsers }: { withUsers: boolean },
): Promise<Pick<World, 'merchants' | 'users' | 'operator'>> {
  const operator = { email: 'operator@example.com', password: password() };
  await transaction(deps.db, (tx) =>
    createAccount(tx, { ...operator, name: 'Operator', isOperator: true, emailVerified: true }, deps.now),
  );
  const made: Merchant[] = [];
  for (let nth = 1; nth <= merchants; nth++)
    made.push({
      ...(await makeMerchant(deps, `merchant-${nth}`)),
      ownAsset: nth === merchants ? ownAsset : null,
    });
  const users = usernames.map((username) => ({ username, password: withUsers ? password() : 'secret' }));
  if (withUsers) {
    await transaction(deps.db, async (tx) => {
      for (const user of users) await createUser(tx, user, deps.now);
    });
  }
  return { operator, merchants: made, users };
}

async function makeMerchant(deps: Deps, name: string): Promise<Omit<Merchant, 'ownAsset'>> {
  const { db, now } = deps;
  const person = { email: `${name}@example.com`, password: password() };
  const { integrationId, keys } = await transaction(db, async (tx) => {
    // People of a demo need no second factor on this machine.
    const ownerId = await createAccount(tx, { ...person, name, emailVerified: true, isDemo: true }, now);
    const merchantId = await createMerchant(tx, { name, ownerId }, now);
    const id = await createIntegration(tx, { name, allowPrivateWebhooks: true }, now);
    await tx.query('UPDATE integrations SET merchant_id = $2 WHERE id = $1', [id, merchantId]);
    const decided = await decideApproval(tx, { id, decision: 'approve', reason: null }, now);
    await recordChange(tx, commandActor, decided.change, now);
    await giveTestMoney(tx, id, now);
    return {
      integrationId: id,
      keys: { test: await makeKeys(tx, deps, id, 'test'), live: await makeKeys(tx, deps, id, 'live') },
    };
  });
  const [test, live] = await Promise.all(
    modes.map((mode) => makeReceiver(deps, { integrationId, mode, name: `${name}-${mode}` })),
  );
  if (!test || !live) throw new Error('A merchant has a receiver for each mode');
  return { name, integrationId, person, keys, receivers: { test, live } };
}

async function makeKeys(
  tx: Tx,
  { seal, now }: Deps,
  integrationId: IntegrationId,
  mode: Mode,
): Promise<Keys> {
  const owner = { integrationId, mode };
  const secretKey = await createSigningKey(tx, seal, owner, now);
  await changePayoutSettings(tx, owner, open, now);
  const payout = await createRestrictedKey(
    tx,
    seal,
    { ...owner, name: 'Payouts', actions, addresses: null, dailyLimits: null },
    now,
  );
  return { secretKey, payoutKey: payout.secret };
}

async function makeReceiver(
  { db, seal, receivers, now }: Deps,
  { name, ...owner }: { integrationId: IntegrationId; mode: Mode; name: string },
): Promise<Receiver> {
  const { url, arrivals } = receivers.open(name);
  const { id } = await transaction(db, (tx) =>
    createEndpoint(tx, seal, { ...owner, url, events: eventTypes, now }),
  );
  return { endpointId: id, secret: await endpointSecret(db, seal, id), arrivals };
}

async function giveTestMoney(tx: Tx, integrationId: IntegrationId, now: Date): Promise<void> {
  await postAll(
    tx,
    Object.entries(testMoney.scales).map(([asset, scale]) => ({
      ...{ id: newId(), mode: 'test', asset, units: testMoney.units * 10n ** BigInt(scale) },
      debit: { kind: 'external', owner: 'demo' },
      credit: { kind: 'business', owner: integrationId },
      ...{ cause: 'demo_seed', causeId: null },
    })),
    now,
  );
}

const password = (): string => randomBytes(12).toString('base64url');
