import { describe, expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import { noChaos } from '../answers/chaos-answers.ts';

const app = await startApp();
const people = await openConsole(app);
const body = { url: 'http://127.0.0.1:61999/hook' };
const id = (await app.api<{ id: string }>('POST', '/webhook-endpoints', { body })).body.data.id;

const path = () => `/test/webhook-endpoints/${id}/chaos`;
const set = (body: object, key = app.secretKey) => app.api('PUT', path(), { body, key });

describe('chaos of a test endpoint', () => {
  test('is nothing until it is set, is what was set, and is ended by an empty body', async () => {
    expect((await app.api('GET', path())).body).toEqual({ message: 'Chaos', data: noChaos });
    const some = { ...noChaos, drop: 20, delay: 100, delay_seconds: 90 };
    const answer = await set({ drop: 20, delay: 100, delay_seconds: 90 });
    expect(answer.body).toEqual({ message: 'Chaos set', data: some });
    expect((await app.api('GET', path())).body.data).toEqual(some);
    expect((await set({ duplicate: 5 })).body.data).toEqual({ ...noChaos, duplicate: 5 });
    expect((await set({})).body).toEqual({ message: 'Chaos ended', data: noChaos });
    expect((await app.api('GET', path())).body.data).toEqual(noChaos);
  });

  test.each([
    [{ drop: 101 }, 'drop'],
    [{ drop: -1 }, 'drop'],
    [{ drop: '5' }, 'drop'],
    [{ reorder: 0.5 }, 'reorder'],
    [{ delay: 5, delay_seconds: 0 }, 'delay_seconds'],
    [{ delay: 5, delay_seconds: 3601 }, 'delay_seconds'],
  ])('is not %j', async (body, field) => {
    const answer = await set(body);
    expect([answer.status, answer.body.error]).toEqual([400, 'field_invalid']);
    expect(answer.body.message).toMatch(new RegExp(`^${field} is invalid: `));
  });

  test('is for test mode alone', async () => {
    for (const method of ['GET', 'PUT']) {
      const request = { key: app.liveSecretKey, ...(method === 'PUT' ? { body: { drop: 5 } } : {}) };
      const answer = await app.api(method, path(), request);
      expect([answer.status, answer.body.message]).toEqual([403, 'Only available in test mode']);
    }
  });

  test("is not to be had of an endpoint that is somebody else's, or of none", async () => {
    for (const other of ['nothing', '01890000-0000-7000-8000-000000000000']) {
      const answer = await app.api('PUT', `/test/webhook-endpoints/${other}/chaos`, { body: {} });
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    }
  });
});

describe('in the dashboard', () => {
  test('it is set by whoever manages webhooks, is shown on the endpoint, and is in the audit log', async () => {
    const admin = await people.as('developer');
    const answer = await admin('PUT', `${people.test}/webhooks/${id}/chaos`, { body: { bad_signature: 30 } });
    expect(answer.body.data).toEqual({ ...noChaos, bad_signature: 30 });
    const seen = await admin('GET', `${people.test}/webhooks/${id}/chaos`);
    expect(seen.body.data).toEqual({ ...noChaos, bad_signature: 30 });
    const list = await admin<{ items: object[] }>('GET', `${people.test}/webhooks`);
    expect(list.body.data.items).toMatchObject([{ id, chaos: { bad_signature: 30 } }]);
    const { rows } = await app.db.query(
      `SELECT action, before, after FROM audit_log WHERE subject_id = $1 ORDER BY id DESC LIMIT 1`,
      [id],
    );
    expect(rows).toMatchObject([
      {
        action: 'set chaos on a webhook endpoint',
        before: { chaos: null },
        after: { chaos: { bad_signature: 30 } },
      },
    ]);
  });

  test('it is not for live mode, nor for who only reads', async () => {
    const admin = await people.as('developer');
    const live = await admin('PUT', `${people.live}/webhooks/${id}/chaos`, { body: {} });
    expect([live.status, live.body.message]).toEqual([403, 'Only available in test mode']);
    const viewer = await people.as('finance');
    const refused = await viewer('PUT', `${people.test}/webhooks/${id}/chaos`, { body: {} });
    expect([refused.status, refused.body.error]).toEqual([403, 'role_may_not']);
  });
});
