import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedUser, signIn, testClock, testSeal } from '../../../test/support/fixtures.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { findUserIds, isPasswordOf, type UserId } from '../users.ts';
import { confirmEmail, contactOf, resetPassword, setEmail, setPassword } from './changes.ts';
import {
  confirmFactor,
  makeRecoveryCodes,
  startFactor,
  useCode,
  useRecoveryCode,
  waitingSecret,
} from './factors.ts';
import {
  endUserSession,
  endUserSessions,
  findSession,
  isFresh,
  openSession,
  userSessions,
} from './sessions.ts';
import { makeInvitation, type NewUser, signUp } from './sign-up.ts';
import { makeToken, readToken, useToken } from './tokens.ts';
import { codeOf, stepOf } from './totp.ts';

const { db } = await testDatabase();

const password = 'correct horse battery staple';
const named = (): string => `u${newId().replaceAll('-', '').slice(4, 30)}`;
const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => transaction(db, work);
const entry = { address: '192.0.2.1', userAgent: 'A browser', byFactor: false };
const person = (changes: Partial<NewUser> = {}): NewUser => ({
  ...{ username: named(), password, invitation: undefined, locale: 'de' },
  ...changes,
});

describe('signing up', () => {
  const { now } = testClock();

  test('makes a user who signs in with the password, in any case of the name', async () => {
    const wanted = person();
    const id = await inTx((tx) => signUp(tx, 'open', wanted, now()));
    expect(await signIn(db, wanted.username.toUpperCase(), password)).toBe(id);
    expect(await contactOf(db, id)).toMatchObject({ locale: 'de', email: null });
  });

  test('gives a name once, also to those who ask at the same moment or for one that looks like it', async () => {
    const wanted = person();
    const alike = [wanted, { ...wanted, username: `${wanted.username}_` }, wanted];
    const tries = await Promise.allSettled(
      alike.map((each) => inTx((tx) => signUp(tx, 'open', each, now()))),
    );
    const refused = tries.filter((each) => each.status === 'rejected');
    expect(refused.map(({ reason }) => reason.row.slug)).toEqual(['username_taken', 'username_taken']);
  });

  test('takes an invitation once where one is needed, and for a week', async () => {
    const clock = testClock();
    const slugOf = (each: NewUser) =>
      inTx((tx) => signUp(tx, 'invitation', each, clock.now())).then(
        () => 'signed up',
        (error) => error.row.slug,
      );
    const { code } = await makeInvitation(db, clock.now());
    const late = await makeInvitation(db, clock.now());
    expect(await slugOf(person())).toBe('invitation_needed');
    expect(await slugOf(person({ invitation: 'no' }))).toBe('invitation_used');
    const invitation = code.toLowerCase().replaceAll('-', ' ');
    const both = await Promise.all([slugOf(person({ invitation })), slugOf(person({ invitation }))]);
    expect(both.sort()).toEqual(['invitation_used', 'signed up']);
    clock.advance(7 * 24 * 3600);
    const username = named();
    expect(await slugOf(person({ username, invitation: late.code }))).toBe('invitation_used');
    expect((await findUserIds(db, [username])).size).toBe(0);
  });

  test('is refused where nobody may', async () => {
    await expect(inTx((tx) => signUp(tx, 'off', person(), now()))).rejects.toThrow('Nobody can sign up here');
  });

  test('without a password makes a user whom no password signs in', async () => {
    const id = await inTx((tx) => signUp(tx, 'open', person({ password: null }), now()));
    for (const guess of ['', 'nobody', 'null']) expect(await isPasswordOf(db, id, guess)).toBe(false);
  });
});

describe('a session', () => {
  let user: UserId;
  beforeAll(async () => {
    user = await seedUser(db, named());
  });
  const open = (now: Date) => inTx((tx) => openSession(tx, user, entry, now));

  test('is found by its token until it was idle for half an hour or is 12 hours old', async () => {
    const clock = testClock();
    const idle = await open(clock.now());
    const used = await open(clock.now());
    for (let half = 0; half < 24; half += 1) {
      expect(await findSession(db, used, clock.now())).toMatchObject({ user: { id: user } });
      clock.advance(1799);
    }
    expect(await findSession(db, idle, clock.now())).toBeNull();
    clock.advance(60);
    expect(await findSession(db, used, clock.now())).toBeNull();
    expect(await findSession(db, 'no token', clock.now())).toBeNull();
  });

  test('is fresh for ten minutes', async () => {
    const clock = testClock();
    const session = await findSession(db, await open(clock.now()), clock.now());
    expect(session && isFresh(session, clock.now())).toBe(true);
    clock.advance(600);
    expect(session && isFresh(session, clock.now())).toBe(false);
  });

  test('is not kept as its cookie carries it, and is ended alone or with all others', async () => {
    const { now } = testClock();
    const other = await seedUser(db, named());
    const [one, two, three] = [await open(now()), await open(now()), await open(now())];
    const { rows } = await db.query<{ token: string }>('SELECT token FROM user_sessions');
    expect(rows.map(({ token }) => token)).not.toContain(one);
    const [first, second] = [await findSession(db, one, now()), await findSession(db, two, now())];
    expect(await endUserSession(db, other, first?.id ?? '')).toBe(false);
    expect(await endUserSession(db, user, first?.id ?? '')).toBe(true);
    expect(await findSession(db, one, now())).toBeNull();
    await endUserSessions(db, user, second?.id);
    expect(await findSession(db, three, now())).toBeNull();
    expect(await userSessions(db, user, now())).toMatchObject([{ id: second?.id, user_agent: 'A browser' }]);
  });
});

describe('a second factor', () => {
  test('asks for codes only after the first one was right, and takes each once', async () => {
    const clock = testClock();
    const user = await seedUser(db, named());
    const starter = { id: newId(), user: { id: user } };
    const secret = await startFactor(db, testSeal, starter, clock.now());
    const code = () => codeOf(secret, stepOf(clock.now()));
    let reused = 0;
    const onReuse = async () => void reused++;
    const take = (given = code()) =>
      inTx((tx) => useCode(tx, testSeal, { userId: user, code: given }, { now: clock.now(), onReuse }));
    expect(await take()).toBeNull();
    const confirm = (given: string) =>
      inTx((tx) => confirmFactor(tx, testSeal, { starter, code: given }, clock.now()));
    expect(await confirm('000')).toBe(false);
    const other = { ...starter, id: newId() };
    expect(await waitingSecret(db, testSeal, other)).toBeNull();
    expect(
      await inTx((tx) => confirmFactor(tx, testSeal, { starter: other, code: code() }, clock.now())),
    ).toBe(false);
    expect(await confirm(`${code().slice(0, 3)} ${code().slice(3)}`)).toBe(true);
    expect(await take()).toBeNull();
    clock.advance(30);
    const both = await Promise.all([take(), take()]);
    expect(both.sort()).toEqual(['app', null]);
    // The one that was used to turn it on is a second use too; a wrong one is none.
    expect(await take('000000')).toBeNull();
    expect(reused).toBe(2);
    // A new secret does not replace one that is on.
    const another = await startFactor(db, testSeal, starter, clock.now());
    clock.advance(30);
    expect(another.equals(secret)).toBe(false);
    expect(await take()).toBe('app');
  });

  test('may be a recovery code, each of which is good once and for its user', async () => {
    const { now } = testClock();
    const [user, other] = [await seedUser(db, named()), await seedUser(db, named())];
    const codes = await inTx((tx) => makeRecoveryCodes(tx, user));
    expect(new Set(codes).size).toBe(10);
    const [code = '', second = ''] = codes;
    expect(await inTx((tx) => useRecoveryCode(tx, other, code))).toBe(false);
    const take = (given: string) =>
      inTx((tx) =>
        useCode(tx, testSeal, { userId: user, code: given }, { now: now(), onReuse: async () => {} }),
      );
    expect(await take(code.toLowerCase())).toBe('recovery');
    expect(await take(code)).toBeNull();
    await inTx((tx) => makeRecoveryCodes(tx, user));
    expect(await inTx((tx) => useRecoveryCode(tx, user, second))).toBe(false);
  });
});

describe('a token', () => {
  test('is good once, for its purpose, until its time, and until there is a newer one', async () => {
    const clock = testClock();
    const userId = await seedUser(db, named());
    const make = () => makeToken(db, 'reset_password', { userId, value: 'a@b.example' }, clock.now());
    const [old, token] = [await make(), await make()];
    const use = (each: string) => useToken(db, 'reset_password', each, clock.now());
    expect(await use(old)).toBeNull();
    expect(await useToken(db, 'confirm_email', token, clock.now())).toBeNull();
    expect(await readToken(db, 'reset_password', token, clock.now())).toMatchObject({ userId });
    expect((await Promise.all([use(token), use(token)])).filter((each) => each !== null)).toHaveLength(1);
    const late = await make();
    clock.advance(3600);
    expect(await use(late)).toBeNull();
  });
});

describe('a change of how a user signs in', () => {
  const { now } = testClock();

  test('ends the other sessions and every link, and is in the audit log', async () => {
    const username = named();
    const id = await seedUser(db, username);
    const changer = { id, username, address: '192.0.2.1' };
    const [mine, other] = await inTx(async (tx) => [
      await openSession(tx, id, entry, now()),
      await openSession(tx, id, entry, now()),
    ]);
    const link = await makeToken(db, 'reset_password', { userId: id, value: '' }, now());
    const but = (await findSession(db, mine ?? '', now()))?.id ?? null;
    await inTx((tx) => setPassword(tx, changer, { password: 'a wholly new password', but }, now()));
    expect(await signIn(db, username, 'a wholly new password')).toBe(id);
    expect(await findSession(db, mine ?? '', now())).not.toBeNull();
    expect(await findSession(db, other ?? '', now())).toBeNull();
    expect(await readToken(db, 'reset_password', link, now())).toBeNull();
    await inTx((tx) => resetPassword(tx, changer, 'another new password', now()));
    expect(await findSession(db, mine ?? '', now())).toBeNull();
    const { rows } = await db.query(
      'SELECT action, actor_kind, actor_name FROM audit_log WHERE subject_id = $1 ORDER BY seq',
      [id],
    );
    const by = { actor_kind: 'user', actor_name: username };
    expect(rows).toEqual([
      { action: 'changed the password', ...by },
      { action: 'reset the password', ...by },
    ]);
  });

  test('an address counts once its link was used, and not that of an address before', async () => {
    const username = named();
    const id = await seedUser(db, username);
    const changer = { id, username, address: '192.0.2.1' };
    const set = (email: string | null) => inTx((tx) => setEmail(tx, changer, email, now()));
    const confirm = (token: string | null) => inTx((tx) => confirmEmail(tx, token ?? '', now()));
    const emailOf = async () => (await contactOf(db, id)).email;
    const first = await set('one@ada.example');
    const second = await set('two@ada.example');
    expect([await emailOf(), await confirm(first), await emailOf()]).toEqual([null, false, null]);
    expect([await confirm(second), await confirm(second), await emailOf()]).toEqual([
      true,
      false,
      'two@ada.example',
    ]);
    await set('three@ada.example');
    expect(await emailOf()).toBeNull();
    expect(await set(null)).toBeNull();
  });
});
