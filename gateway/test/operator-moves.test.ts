import { expect, test } from 'vitest';
import { newId } from '../src/kit/ids.ts';
import { leaveUnordered } from './browser/dashboard-unmatched.ts';
import { openConsole } from './support/console.ts';
import { seedBalance } from './support/fixtures.ts';
import { operatorDesk, root } from './support/operator.ts';
import { startApp } from './support/running.ts';

const app = await startApp({ seed: { name: 'Nib & Folio', approved: true } });
const desk = await operatorDesk(await openConsole(app));

type Line = { id: string; amount: string; decision: { owner: string; owner_name: string | null } | null };

const list = async (query = '') => (await desk.get(`/treasury-moves${query}`)).items as unknown as Line[];
const assign = (id: string, body: object) =>
  desk.call('POST', `${root}/treasury-moves/${id}/assign`, {
    body: { reason: 'the ticket says so', ...body },
  });

test('what left without an order is listed until an operator says whose it was, which is taken from them', async () => {
  const [own, theirs] = [await leaveUnordered(app), await leaveUnordered(app)];
  expect((await list()).map(({ id, amount }) => [id, amount])).toEqual([
    [theirs, '25'],
    [own, '25'],
  ]);
  expect((await assign(own, { owner: 'operator' })).status).toBe(200);
  expect((await assign(own, { owner: 'operator' })).status).toBe(409);
  expect((await assign(newId(), { owner: 'operator' })).status).toBe(404);
  expect((await assign(theirs, { owner: 'business', of: newId() })).status).toBe(400);
  expect((await assign(theirs, { owner: 'user', of: 'nobody' })).status).toBe(400);

  const owner = app.integrationId;
  const units = 30n * 10n ** 18n;
  await seedBalance(app.db, { owner, kind: 'business', mode: 'live', asset: 'usdc-bep20', units });
  expect((await assign(theirs, { owner: 'business', of: owner })).status).toBe(200);
  expect(await desk.lastChange()).toMatchObject({
    action: 'decided whose money left without an order',
    subject: { kind: 'treasury move', id: theirs },
  });
  const { rows } = await app.db.query(
    `SELECT balance FROM ledger_accounts
     WHERE owner = $1 AND kind = 'business' AND mode = 'live' AND asset = 'usdc-bep20'`,
    [owner],
  );
  expect(rows).toEqual([{ balance: 5n * 10n ** 18n }]);
  expect(await list()).toEqual([]);
  expect((await list('?state=all')).map(({ decision }) => decision)).toMatchObject([
    { owner: 'business', owner_name: 'Nib & Folio' },
    { owner: 'operator', owner_name: null },
  ]);
});
