import { describe, expect, test } from 'vitest';
import { type ConsoleRoute, scopes } from '../src/identity/console/console.ts';
import { type MemberRole, mayRole, memberRoles } from '../src/identity/roles.ts';
import { newId } from '../src/kit/ids.ts';
import { type Api, createApi } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { startApp } from './support/running.ts';

// Every route of the dashboard's API, tried by everybody who should not get through. The routes are those that the
// running gateway has, so that none can be forgotten.

const unknown = newId();

const app = await startApp();
const people = await openConsole(app);

/** The route's address, about our integration and merchant; whatever else it names does not exist. */
function addressOf({ url }: ConsoleRoute): string {
  return url
    .replace(scopes.integration, people.integration)
    .replace(scopes.merchant, people.merchant)
    .replace(':mode', 'test')
    .replace(/:\w+/g, unknown);
}

async function tryAll(client: Api, routes: readonly ConsoleRoute[]) {
  const outcomes = routes.map(async (route) => {
    const { status, body } = await client(route.method as string, addressOf(route), {
      ...(route.method === 'GET' ? {} : { body: {} }),
    });
    return { route: `${route.method} ${route.url}`, status, error: body?.error };
  });
  return await Promise.all(outcomes);
}

const outcome = (status: number, error: string) => (route: ConsoleRoute) => ({
  route: `${route.method} ${route.url}`,
  status,
  error,
});

const about = (...wanted: string[]) => app.consoleRoutes.filter(({ scope }) => wanted.includes(scope));

describe('every call of the dashboard', () => {
  test('is one that the check lets through or refuses', () => {
    expect(app.consoleRoutes.length).toBeGreaterThan(10);
    const placed = app.consoleRoutes.filter(({ url, scope }) => url.startsWith(scopes[scope]));
    expect(placed).toEqual(app.consoleRoutes);
  });

  test('declares the schema of its answer, unless it sends a file', () => {
    const files = app.consoleRoutes.filter(({ answer }) => answer === null).map(({ url }) => url);
    expect(files.sort()).toEqual([
      `${scopes.mode}/export/payments`,
      `${scopes.mode}/statements/:file`,
      `${scopes.operator}/payout-exports/:export/file`,
    ]);
  });

  test('asks for a session', async () => {
    const nobody = createApi(app.baseUrl, '');
    const outcomes = await tryAll(
      (method, path, request) => nobody(method, path, { ...request, key: null }),
      [...app.consoleRoutes],
    );
    expect(outcomes).toEqual(app.consoleRoutes.map(outcome(401, 'not_signed_in')));
  });

  test("answers 404 to a stranger about another merchant's things", async () => {
    const routes = about('merchant', 'integration', 'mode');
    expect(await tryAll(await people.as('stranger'), routes)).toEqual(routes.map(outcome(404, 'not_found')));
  });

  test('refuses everybody but operators what is for operators', async () => {
    const routes = about('operator');
    for (const person of ['stranger', ...memberRoles] as const) {
      expect(await tryAll(await people.as(person), routes)).toEqual(
        routes.map(outcome(403, 'operators_only')),
      );
    }
  });

  test.each(memberRoles)('refuses what is not for the role %s', async (role: MemberRole) => {
    const routes = app.consoleRoutes.filter(({ may }) => may !== null && !mayRole(role, may));
    expect(await tryAll(await people.as(role), routes)).toEqual(routes.map(outcome(403, 'role_may_not')));
  });

  test('lets an operator who is no member look, and change nothing', async () => {
    const routes = about('merchant', 'integration', 'mode').filter(
      ({ may }) => may !== null && !mayRole('operator', may),
    );
    expect(routes.length).toBeGreaterThan(0);
    expect(await tryAll(await people.as('operator'), routes)).toEqual(
      routes.map(outcome(403, 'role_may_not')),
    );
  });

  test('asks for a fresh sign-in where it must', async () => {
    const owner = await people.as('owner');
    const operator = await people.as('operator');
    await app.db.query(
      "UPDATE sessions SET created_at = created_at - interval '11 minutes', confirmed_at = NULL",
    );
    const routes = app.consoleRoutes.filter(({ fresh }) => fresh);
    const outcomes = [
      ...(await tryAll(
        owner,
        routes.filter(({ scope }) => scope !== 'operator'),
      )),
      ...(await tryAll(
        operator,
        routes.filter(({ scope }) => scope === 'operator'),
      )),
    ];
    expect(outcomes.map(({ error }) => error)).toEqual(routes.map(() => 'fresh_sign_in'));
  });

  test('refuses what another site made the browser send', async () => {
    const owner = await people.as('owner');
    const routes = app.consoleRoutes.filter(({ method }) => method !== 'GET');
    const foreign: Api = (method, path, request) =>
      owner(method, path, { ...request, headers: { origin: 'https://evil.example' } });
    expect(await tryAll(foreign, routes)).toEqual(routes.map(outcome(403, 'foreign_form')));
  });
});
