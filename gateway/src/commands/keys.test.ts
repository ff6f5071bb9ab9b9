import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { printed } from '../../test/support/commands-fixtures.ts';
import { makeDataDir, removeDataDir } from '../../test/support/data-dir.ts';
import { databaseUrl, testDatabase } from '../../test/support/database.ts';
import { createKeyLookup, signingSecrets } from '../identity/keys/keys.ts';
import { systemClock } from '../kit/clock.ts';
import { newId } from '../kit/ids.ts';
import { openSeal } from '../operations/master-key.ts';
import { makeIntegration } from './integrations.ts';
import {
  createIntegrationKey,
  listIntegrationKeys,
  revokeIntegrationKey,
  rollIntegrationKey,
  switchIntegrationSigning,
} from './keys.ts';

type Shop = { integration_id: string; secret_key: string; live_secret_key: string };
type Made = { id: string; secret_key: string };
type Listed = { id: string; kind: string; hint: string; good: boolean; signing: boolean };

let shop: Shop;
let keys: { integration: string; mode: 'test' };

const database = await testDatabase();
const db = database.db;
const directory = await makeDataDir();
const env = {
  DATA_DIR: directory,
  DATABASE_URL: databaseUrl(database.connection),
  MASTER_KEY_FILE: join(directory, 'master.key'),
};
afterAll(() => removeDataDir(env.DATA_DIR!));
beforeEach(async () => {
  shop = JSON.parse((await printed(() => makeIntegration(env, 'Corner shop'))).output);
  keys = { integration: shop.integration_id, mode: 'test' };
});

const lookUp = async (secret: string) => await createKeyLookup(db, systemClock)(secret);
const list = async (): Promise<Listed[]> =>
  JSON.parse((await printed(() => listIntegrationKeys(env, { ...keys, json: true }))).output);
const make = async (restrictions: object = {}): Promise<Made> =>
  JSON.parse(
    (await printed(() => createIntegrationKey(env, { ...keys, name: 'Till', ...restrictions }))).output,
  );
const roll = async (key: string, overlapDays: number): Promise<Made> =>
  JSON.parse((await printed(() => rollIntegrationKey(env, { key, overlapDays }))).output);
const signingKey = async () => (await list()).find(({ kind }) => kind === 'signing')!;

async function signer(): Promise<string | undefined> {
  const seal = await openSeal(db, env.MASTER_KEY_FILE!);
  const found = await signingSecrets(db, seal, [{ integrationId: shop.integration_id, mode: 'test' }]);
  return [...found.values()][0];
}

async function logged(): Promise<string[]> {
  const { rows } = await db.query<{ line: string }>(
    `SELECT actor_name || ' ' || action AS line FROM audit_log WHERE integration_id = $1 ORDER BY id`,
    [shop.integration_id],
  );
  return rows.map(({ line }) => line);
}

test('keys are listed by mode, with the end of their secrets and with what they may do', async () => {
  await make();
  const { code, output } = await printed(() => listIntegrationKeys(env, keys));
  expect(code).toBe(0);
  expect(output).toMatch(/ good {2}restricted key: Till\n.* good {2}signing key, signs webhooks\n$/);
  expect(output).toContain(`sk_test_…${shop.secret_key.slice(-4)}`);
  expect(output).not.toContain(shop.secret_key);
  expect(output).not.toContain(shop.live_secret_key.slice(-4));
});

describe('a key that is made', () => {
  test('may do what it was made for, and is in the audit log', async () => {
    const restrictions = { actions: ['fund users'], addresses: ['192.0.2.0/24'], dailyLimits: { pi: '5' } };
    const { secret_key: secret } = await make(restrictions);
    expect(await lookUp(secret)).toMatchObject({
      mode: 'test',
      allowedActions: ['fund users'],
      allowedAddresses: ['192.0.2.0/24'],
      allowance: { limits: { pi: '5' } },
    });
    expect(await logged()).toEqual(['command line made a key']);
  });

  test.each([
    [{ actions: ['fly'] }, /actions/],
    [{ addresses: ['localhost'] }, 'addresses is invalid: must be 1 to 50 IP addresses or CIDR blocks'],
    [{ dailyLimits: { gold: '1' } }, 'daily_limits.gold is invalid: must be an asset with a decimal amount'],
    [{ name: undefined }, /name/],
    [{ signing: true }, /signing key/],
    [{ mode: 'both' }, 'the mode must be test or live, not both'],
    [{ integration: newId() }, 'there is no integration'],
    [{ integration: 'corner' }, 'there is no integration corner'],
  ])('%j is refused, and nothing is logged', async (restrictions, why) => {
    await expect(createIntegrationKey(env, { ...keys, name: 'Till', ...restrictions })).rejects.toThrow(why);
    expect(await logged()).toEqual([]);
  });
});

describe('a key that is rolled', () => {
  test('works beside its successor, which signs after the command to use it', async () => {
    const { secret_key: secret } = await roll((await signingKey()).id, 1);
    expect([await lookUp(shop.secret_key), await lookUp(secret)]).not.toContain(null);
    expect(await signer()).toBe(shop.secret_key);
    expect((await printed(() => switchIntegrationSigning(env, keys))).code).toBe(0);
    expect(await signer()).toBe(secret);
    await expect(switchIntegrationSigning(env, keys)).rejects.toThrow('No signing key is being rolled');
    expect(await logged()).toEqual([
      'command line rolled a key',
      'command line switched test webhooks to the new signing key',
    ]);
  });

  test('without an overlap works no longer', async () => {
    const { secret_key: secret } = await roll((await signingKey()).id, 0);
    expect(await lookUp(shop.secret_key)).toBeNull();
    expect(await signer()).toBe(secret);
  });

  test.each([-1, 7.5, Number.NaN])('for %d days is refused', async (overlapDays) => {
    const { id: key } = await signingKey();
    await expect(rollIntegrationKey(env, { key, overlapDays })).rejects.toThrow('must be 0 to 7 days');
  });
});

describe('a key that is revoked', () => {
  test('works no longer', async () => {
    const { id, secret_key: secret } = await make();
    expect((await printed(() => revokeIntegrationKey(env, id))).output).toBe(`${id} is revoked\n`);
    expect(await lookUp(secret)).toBeNull();
    await expect(revokeIntegrationKey(env, id)).rejects.toThrow('was rolled or revoked already');
    expect(await logged()).toEqual(['command line made a key', 'command line revoked a key']);
  });

  test('may be a signing key only after it was rolled', async () => {
    const { id } = await signingKey();
    await expect(revokeIntegrationKey(env, id)).rejects.toThrow('Webhooks are signed with this key');
    const { secret_key: secret } = await roll(id, 7);
    await printed(() => revokeIntegrationKey(env, id));
    expect(await signer()).toBe(secret);
  });

  test.each([newId(), 'till'])('and is not there, %j, is refused', async (id) => {
    await expect(revokeIntegrationKey(env, id)).rejects.toThrow(`there is no key ${id}`);
    await expect(rollIntegrationKey(env, { key: id, overlapDays: 0 })).rejects.toThrow('there is no key');
  });
});
