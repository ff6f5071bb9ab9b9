import { addMember, createMerchant, type MerchantId } from '../../src/identity/merchants/merchants.ts';
import { type MemberRole, memberRoles } from '../../src/identity/roles.ts';
import { transaction } from '../../src/kit/db/db.ts';
import { type Api, type ApiRequest, createApi } from './api.ts';
import { addQuickAccount } from './fixtures.ts';
import type { RunningApp } from './running.ts';

/** Who may sign in: a member of the integration's merchant, another merchant's owner, or an operator. */
export type Person = MemberRole | 'stranger' | 'operator';

export type OpenConsole = {
  merchantId: MerchantId;
  /** Calls with this person's session, which is fresh; the person is made and signed in at first use. */
  as(person: Person): Promise<Api>;
  /** Gives a person another account, where the one they had was closed or its address or password changed. */
  renew(person: Person): Promise<void>;
  /** The account of a person who was made. */
  accountId(person: Person): string;
  /** Where the routes of the integration's test mode are. */
  test: string;
  live: string;
  integration: string;
  merchant: string;
};

export const password = 'correct horse battery staple';

/** Puts the app's integration into a merchant, and lets people sign in to the dashboard's API. */
export async function openConsole(app: RunningApp): Promise<OpenConsole> {
  const { db, baseUrl, integrationId } = app;
  const now = new Date();
  const accounts = new Map<Person, string>();
  const clients = new Map<Person, Api>();
  const account = (person: Person) =>
    transaction(db, (tx) =>
      addQuickAccount(
        tx,
        {
          email: emailOf(person),
          name: `The ${person}`,
          password,
          emailVerified: true,
          isOperator: person === 'operator',
          // Spared a second factor and a second person: tests of those make people of their own.
          isDemo: true,
        },
        now,
      ),
    );
  const owner = await account('owner');
  accounts.set('owner', owner);
  const merchantId = await transaction(db, async (tx) => {
    const id = await createMerchant(tx, { name: 'Corner shops', ownerId: owner }, now);
    await tx.query('UPDATE integrations SET merchant_id = $2 WHERE id = $1', [integrationId, id]);
    return id;
  });

  async function make(person: Person): Promise<void> {
    const accountId = await account(person);
    accounts.set(person, accountId);
    const role = memberRoles.find((each) => each === person);
    await transaction(db, async (tx) => {
      if (role) await addMember(tx, { merchantId, accountId, role }, now);
      else if (person === 'stranger')
        await createMerchant(tx, { name: 'Elsewhere', ownerId: accountId }, now);
    });
  }

  const integration = `/console/integrations/${integrationId}`;
  return {
    merchantId,
    async as(person) {
      const known = clients.get(person);
      if (known) return known;
      if (!accounts.has(person)) await make(person);
      const client = await signIn(baseUrl, emailOf(person));
      clients.set(person, client);
      return client;
    },
    async renew(person) {
      await db.query("UPDATE accounts SET email = id || '@former.example' WHERE email = $1", [
        emailOf(person),
      ]);
      clients.delete(person);
      await make(person);
    },
    accountId: (person) => accounts.get(person)!,
    integration,
    test: `${integration}/test`,
    live: `${integration}/live`,
    merchant: `/console/merchants/${merchantId}`,
  };
}

function emailOf(person: Person): string {
  return `${person}@example.com`;
}

/** Signs in as the dashboard does and calls with that session. */
export async function signIn(baseUrl: string, email: string, secret = password): Promise<Api> {
  const anyone = createApi(baseUrl, '');
  const answer = await anyone('POST', '/console/auth/sign-in', {
    key: null,
    body: { email, password: secret },
    headers: { origin: baseUrl },
  });
  if (answer.status !== 200) throw new Error(`${email} cannot sign in: ${answer.text}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return (method, path, request: ApiRequest = {}) =>
    anyone(method, path, { ...request, key: null, headers: { origin: baseUrl, cookie, ...request.headers } });
}
