import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { printed } from '../../test/support/commands-fixtures.ts';
import { databaseUrl, testDatabase } from '../../test/support/database.ts';
import { seedBalance, signIn, silentLog } from '../../test/support/fixtures.ts';
import { createKeyLookup } from '../identity/keys/keys.ts';
import { systemClock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { createStamper } from '../operations/stamps/stamper.ts';
import { isPasswordGiven } from '../wallets/users.ts';
import { audit } from './audit.ts';
import { makeIntegration, setIntegrationApproval } from './integrations.ts';
import { makeUser, resetPasswordOf } from './people/users.ts';

let db: Database;
let directory: string;
let env: Record<string, string>;

beforeEach(async () => {
  const database = await testDatabase();
  db = database.db;
  directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
  env = {
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: databaseUrl(database.connection),
    MASTER_KEY_FILE: join(directory, 'master.key'),
  };
});
afterEach(() => rm(directory, { recursive: true }));

type Made = { integration_id: string; secret_key: string; live_secret_key: string };

async function make(name: string): Promise<Made> {
  const { code, output } = await printed(() => makeIntegration(env, name));
  expect(code).toBe(0);
  return JSON.parse(output) as Made;
}

describe('integrations create', () => {
  test('makes one with working keys, not approved for live mode, sealed with the master key', async () => {
    const made = await make('Corner shop');
    const findKey = createKeyLookup(db, systemClock);
    const integration = { id: made.integration_id, name: 'Corner shop', approval: 'none' };
    expect(await findKey(made.secret_key)).toMatchObject({ mode: 'test', integration });
    expect(await findKey(made.live_secret_key)).toMatchObject({ mode: 'live', integration });
    expect((await stat(env.MASTER_KEY_FILE!)).mode & 0o777).toBe(0o600);
  });

  test('makes another each time, with the same master key', async () => {
    const [one, other] = [await make('Shop'), await make('Shop')];
    expect(other.integration_id).not.toBe(one.integration_id);
  });

  test('makes none with the master key of another database', async () => {
    await make('Corner shop');
    env.MASTER_KEY_FILE = join(directory, 'other.key');
    await expect(makeIntegration(env, 'Other shop')).rejects.toThrow('is not the one that this database');
    expect((await db.query('SELECT name FROM integrations')).rows).toEqual([{ name: 'Corner shop' }]);
  });
});

describe('integrations approve and suspend', () => {
  test('let an integration take live payments, and end that', async () => {
    const { integration_id: id, live_secret_key: key } = await make('Corner shop');
    const approval = async () => (await createKeyLookup(db, systemClock)(key))?.integration.approval;
    const approved = await printed(() => setIntegrationApproval(env, id, 'approved'));
    expect(approved).toEqual({ code: 0, output: `${id} is approved\n`, errors: '' });
    expect(await approval()).toBe('approved');
    await printed(() => setIntegrationApproval(env, id, 'suspended'));
    expect(await approval()).toBe('suspended');
  });

  test.each([newId(), 'corner-shop', ''])('say that there is no integration %j', async (id) => {
    await expect(setIntegrationApproval(env, id, 'approved')).rejects.toThrow(
      `there is no integration ${id}`,
    );
  });
});

describe('users create', () => {
  test('makes a user who can sign in with the password that is shown', async () => {
    const { code, output } = await printed(() => makeUser(env, 'ada'));
    const user = JSON.parse(output) as { username: string; password: string };
    expect([code, user]).toEqual([0, { username: 'ada', password: expect.stringMatching(/^\w{16}$/) }]);
    expect(await signIn(db, 'ada', user.password)).not.toBeNull();
  });

  test('refuses a username that exists, and leaves the user as it was', async () => {
    const first = JSON.parse((await printed(() => makeUser(env, 'ada'))).output) as { password: string };
    await expect(makeUser(env, 'ada')).rejects.toThrow('there is a user ada already');
    expect(await signIn(db, 'ada', first.password)).not.toBeNull();
  });
});

describe('users reset-password', () => {
  test('gives a user another password, which is replaced at the sign-in, and ends what was known before', async () => {
    const made = JSON.parse((await printed(() => makeUser(env, 'ada'))).output) as { password: string };
    await db.query(`UPDATE users SET password_given = false WHERE username = 'ada'`);
    const { code, output } = await printed(() => resetPasswordOf(env, 'ADA'));
    const { password } = JSON.parse(output) as { password: string };
    expect([code, password]).toEqual([0, expect.stringMatching(/^\w{16}$/)]);
    expect(await signIn(db, 'ada', made.password)).toBeNull();
    const id = await signIn(db, 'ada', password);
    expect(id && (await isPasswordGiven(db, id))).toBe(true);
    const { rows } = await db.query('SELECT action FROM audit_log WHERE subject_id = $1', [id]);
    expect(rows).toEqual([{ action: 'reset the password' }]);
    await expect(resetPasswordOf(env, 'nobody')).rejects.toThrow('there is no user nobody');
  });
});

describe('audit', () => {
  const seed = async () => {
    const { integration_id: owner } = await make('Corner shop');
    await seedBalance(db, { owner, kind: 'business', mode: 'test', asset: 'pi', units: 10_000_000n });
    return owner;
  };

  test('says that a clean ledger is clean', async () => {
    await seed();
    expect(await printed(() => audit(env, { json: false }))).toEqual({
      code: 0,
      output:
        'The ledger is clean: 2 accounts, 1 transfers, 2 entries.\nThe hash chain is whole: 0 stamps, 0 rows.\n',
      errors: '',
    });
  });

  test('ends with 2 and says what is wrong and where, for people and for programs', async () => {
    const owner = await seed();
    await db.query('UPDATE ledger_accounts SET balance = balance + 1 WHERE owner = $1', [owner]);
    const result = await printed(() => audit(env, { json: false }));
    expect(result.code).toBe(2);
    expect(result.output).toBe(
      'The ledger is NOT clean: 2 accounts, 1 transfers, 2 entries.\n' +
        '  not true: a stored balance is the sum of its entries\n' +
        `    business ${owner} test pi: stored 10000001, entries 10000000\n` +
        'The hash chain is whole: 0 stamps, 0 rows.\n',
    );
    const { code, output } = await printed(() => audit(env, { json: true }));
    expect([code, JSON.parse(output)]).toMatchObject([
      2,
      { accounts: 2, findings: [{ subject: `business ${owner} test pi` }] },
    ]);
  });

  test('ends with 2 when a row is no more what its stamp says, or a head is not what was published', async () => {
    await seed();
    const headsFile = join(directory, 'heads');
    const stamper = createStamper({ db, headsFile, log: silentLog, now: systemClock });
    await stamper.run();
    await stamper.close();
    expect((await printed(() => audit(env, { json: false, heads: headsFile }))).code).toBe(0);
    const [published = ''] = (await readFile(headsFile, 'utf8')).split(' ');
    const [number] = published.split(':');
    const otherHeads = join(directory, 'other heads');
    await writeFile(otherHeads, `${number}:${'0'.repeat(64)}\n`);
    const other = await printed(() => audit(env, { json: false, heads: otherHeads }));
    expect([other.code, other.output]).toEqual([2, expect.stringContaining('The hash chain is NOT whole')]);
    await db.query('ALTER TABLE ledger_entries DISABLE TRIGGER USER');
    await db.query('UPDATE ledger_entries SET transfer = gen_random_uuid() WHERE units > 0');
    const changed = await printed(() => audit(env, { json: false }));
    expect([changed.code, changed.output]).toEqual([2, expect.stringMatching(/stamp \d+: .*changed.*entry/)]);
  });

  test('of a database without any account is clean', async () => {
    expect((await printed(() => audit(env, { json: false }))).code).toBe(0);
  });
});

test('a command with a faulty configuration prints every fault, and does nothing', async () => {
  const faulty = { ...env, PORT: 'abc', LOG_LEVEL: 'loud' };
  await expect(makeUser(faulty, 'ada')).rejects.toThrow(/^LOG_LEVEL .*\nPORT must be/);
  expect((await db.query('SELECT FROM users')).rowCount).toBe(0);
});
