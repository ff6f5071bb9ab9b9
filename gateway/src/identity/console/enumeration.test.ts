import pg from 'pg';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  createVisitor,
  goodPassword,
  seedAccount,
  startAccountServer,
  waitingMails,
} from '../../../test/support/identity-fixtures.ts';
import { hashPassword } from '../accounts/passwords.ts';

// Nobody learns whether an address has an account: neither by an answer, nor by what the gateway does for it.

const { db } = await testDatabase();
const server = await startAccountServer(db);
let known: string;
const lost = await seedAccount(db);
await db.query('DELETE FROM credentials WHERE account_id = $1', [lost.id]);
const withoutPassword = lost.email;
beforeEach(async () => {
  known = (await seedAccount(db)).email;
  // The library is loaded, and nobody's hash is made, by the first sign-in of all.
  await signIn(known, goodPassword);
});

const send = (path: string, body: object) => createVisitor(server.url).send('POST', path, body);
const signIn = (email: string, password: string) => send('/auth/sign-in', { email, password });
const unknown = 'nobody@example.com';

/** The statements that the gateway makes for a call, in their order. */
async function statementsOf(call: () => Promise<unknown>): Promise<string[]> {
  // Whatever sends a statement, alone or with others, has it submitted.
  const { prototype } = pg.Query as unknown as { prototype: { text: string; submit(): unknown } };
  const spy = vi.spyOn(prototype, 'submit');
  try {
    await call();
    return (spy.mock.contexts as (typeof prototype)[]).map(({ text }) => text);
  } finally {
    spy.mockRestore();
  }
}

async function cpuOf(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await call();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

describe('a wrong sign-in', () => {
  test('has the same answer and the same statements for an unknown address and for one without a password', async () => {
    const [right, ...others] = [known, unknown, withoutPassword];
    const wanted = await signIn(right!, 'not the password');
    const statements = await statementsOf(() => signIn(right!, 'not the password'));
    expect(wanted).toMatchObject({ status: 401, error: 'sign_in_wrong' });
    expect(statements.length).toBeGreaterThan(0);
    const plain = (answer: typeof wanted) => ({ ...answer, request_id: '', headers: null });
    for (const email of others) {
      expect(plain(await signIn(email, 'not the password'))).toEqual(plain(wanted));
      expect(await statementsOf(() => signIn(email, 'not the password'))).toEqual(statements);
    }
  });

  test('takes as much of the processor for an unknown address', async () => {
    // At the costs of the gateway: other tests have quick hashes.
    await db.query(
      'UPDATE credentials SET password_hash = $2 WHERE account_id = (SELECT id FROM accounts WHERE email = $1)',
      [known, await hashPassword(goodPassword)],
    );
    const costs: Record<string, number[]> = { [known]: [], [unknown]: [] };
    for (let round = 0; round < 15; round++) {
      for (const [email, seen] of Object.entries(costs)) {
        seen.push(await cpuOf(() => signIn(email, 'not the password')));
      }
    }
    // A check of a password costs many times what all the rest does.
    const ratio = median(costs[unknown] ?? []) / median(costs[known] ?? []);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

test('asking for a reset has the same answer and the same statements, and the mail comes afterwards', async () => {
  const ask = (email: string) => send('/auth/password/forgotten', { email });
  const answers = [await ask(known), await ask(unknown)];
  expect({ ...answers[1], headers: null }).toEqual({ ...answers[0], headers: null });
  const statements = await statementsOf(() => ask(known));
  expect(statements.length).toBeGreaterThan(0);
  expect(await statementsOf(() => ask(unknown))).toEqual(statements);
  expect(await waitingMails(db, known)).toHaveLength(2);
  expect(await waitingMails(db, unknown)).toEqual([]);
  expect((await db.query('SELECT FROM asked_resets')).rowCount).toBe(0);
});

describe('of an address that is held, after many failures,', () => {
  test('a further try has the same statements', async () => {
    const limited = await startAccountServer(db, { rateLimit: true });
    const held: Record<string, string[]> = {};
    for (const [network, email] of [known, unknown].entries()) {
      const tryFrom = (host: number) =>
        createVisitor(limited.url, { 'x-forwarded-for': `198.51.${network}.${host}` }).send(
          'POST',
          '/auth/sign-in',
          { email, password: 'not the password' },
        );
      // Each from an address of its own, until the account takes no more.
      let host = 0;
      while ((await tryFrom(host)).status !== 429) host += 1;
      // The mail to the owner was written by now; this is a try like all others.
      held[email] = await statementsOf(() => tryFrom(host + 1));
    }
    expect(held[unknown]).toEqual(held[known]);
    expect(held[known]?.some((text) => text.includes('guesses_mailed_at'))).toBe(true);
    await limited.close();
  });
});
