import { createRestrictedKey } from '../../src/identity/keys/key-changes.ts';
import { addMember } from '../../src/identity/merchants/merchants.ts';
import { memberRoles } from '../../src/identity/roles.ts';
import { transaction } from '../../src/kit/db/db.ts';
import { changePayoutSettings } from '../../src/payouts/rules/settings.ts';
import { type OpenConsole, openConsole, type Person, password } from '../support/console.ts';
import { seedBalance, seedUser, testSeal } from '../support/fixtures.ts';
import type { RunningApp } from '../support/running.ts';
import type { Random } from './random.ts';

/** Who calls: everybody who may sign in, and what they know. */
export type World = {
  app: RunningApp;
  people: OpenConsole;
  persons: readonly Person[];
  /** Keys of both modes, signing and restricted ones. */
  keys: readonly string[];
  /** The Cookie header of a person's session. */
  cookieOf(person: Person): string;
  /** Notes that a session has ended: the person signs in again before their next call. */
  lose(person: Person): void;
  /** Signs people in again, and gives back what calls took away: rights, approval, balances. */
  repair(): Promise<void>;
  /** What answers named, which later requests name again. */
  known: Known;
};

/** The newest of what answers named. */
export type Known = {
  ids: Pool;
  references: Pool;
  /** The queries of hosted pages. */
  pages: Pool;
  /** The fields that a route says it reads. */
  fields: Map<string, Set<string>>;
};

export type Pool = { add(text: string): void; pick(random: Random): string };

const poolSize = 300;

function createPool(first: string): Pool {
  const list = [first];
  let next = 0;
  return {
    add(text) {
      list[next++ % poolSize] = text;
    },
    pick: (random) => random.pick(list),
  };
}

const payoutsAreOpen = { enabled: true, approvals: 0, approveAbove: {}, knownAddressesOnly: false };
const persons: readonly Person[] = [...memberRoles, 'stranger', 'operator'];

/** A merchant with people of every role, users, balances and keys. */
export async function createWorld(app: RunningApp): Promise<World> {
  const people = await openConsole(app);
  const cookies = new Map<Person, string>();
  for (const person of persons) await people.as(person);
  await seedUser(app.db, 'ada');
  await seedUser(app.db, 'john_doe');
  const owner = { integrationId: app.integrationId, mode: 'test' } as const;
  const restricted = await transaction(app.db, (tx) => {
    const actions = ['make payouts', 'make refunds', 'create payments', 'read payments'];
    const terms = { name: 'fuzz', actions, addresses: null, dailyLimits: null };
    return createRestrictedKey(tx, testSeal, { ...owner, ...terms }, new Date());
  });

  /** Returns whether this person could sign in. */
  async function signIn(person: Person): Promise<boolean> {
    const answer = await fetch(`${app.baseUrl}/console/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: app.baseUrl },
      body: JSON.stringify({ email: `${person}@example.com`, password }),
    });
    if (answer.status !== 200) return false;
    const lines = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
    cookies.set(person, lines.join('; '));
    return true;
  }

  async function signInAgain(person: Person): Promise<void> {
    if (await signIn(person)) return;
    await people.renew(person);
    if (!(await signIn(person))) throw new Error(`${person} cannot sign in with a new account`);
  }

  async function restore(): Promise<void> {
    const now = new Date();
    for (const role of memberRoles) {
      const accountId = people.accountId(role);
      await transaction(app.db, (tx) =>
        addMember(tx, { merchantId: people.merchantId, accountId, role }, now),
      );
    }
    for (const asset of ['pi', 'usdc-base', 'usdt-bep20']) {
      const balance = { owner: app.integrationId, kind: 'business', mode: 'test', asset } as const;
      await seedBalance(app.db, { ...balance, units: 10n ** 12n });
    }
    await app.db.query("UPDATE integrations SET approval = 'approved' WHERE id = $1", [app.integrationId]);
    await app.db.query('UPDATE merchants SET suspended_at = NULL WHERE id = $1', [people.merchantId]);
    await app.db.query('UPDATE accounts SET is_operator = (email = $1)', ['operator@example.com']);
    await transaction(app.db, (tx) => changePayoutSettings(tx, owner, payoutsAreOpen, now));
    await app.db.query('DELETE FROM payout_stop');
    await app.db.query("UPDATE webhook_endpoints SET status = 'paused' WHERE status = 'active'");
  }

  return {
    app,
    people,
    persons,
    keys: [...Array<string>(6).fill(app.secretKey), restricted.secret, restricted.secret, app.liveSecretKey],
    cookieOf: (person) => cookies.get(person) ?? '',
    lose: (person) => void cookies.delete(person),
    async repair() {
      for (const person of persons) if (!cookies.has(person)) await signInAgain(person);
      await restore();
    },
    known: {
      ids: createPool('00000000-0000-7000-8000-000000000000'),
      references: createPool('NOTHING'),
      pages: createPool('reference=NOTHING&app=00000000-0000-7000-8000-000000000000&token=x'),
      fields: new Map(),
    },
  };
}
