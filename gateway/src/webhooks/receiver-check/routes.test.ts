import { describe, expect, test } from 'vitest';
import {
  checksPlain,
  checksStandard,
  endpointKeyOf,
  ok,
  refused,
  startReceiver,
} from '../../../../receiver-check/test/fixtures.ts';
import type { Api } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import { auditEntries } from '../../identity/audit/audit-log.ts';
import type { CheckItem as Check } from './answers.ts';

type Made = { id: string; secret: string };

const app = await startApp();
const people = await openConsole(app);
const owner = await people.as('owner');
const reader = await people.as('read-only');
const at = people.test;

/** An endpoint whose receiver checks both signatures. With `held` it answers from the fifth request on only after `letGo`. */
async function openEndpoint({ held = false } = {}) {
  let secret = '';
  let letGo = (): void => {};
  const free = held ? new Promise<void>((resolve) => (letGo = resolve)) : Promise.resolve();
  const got: string[] = [];
  const url = await startReceiver(async (request) => {
    got.push(request.raw.toString());
    if (got.length > 4) await free;
    const { 'x-token': token } = request.headers;
    const right = checksPlain(request, app.secretKey) && checksStandard(request, endpointKeyOf(secret));
    return right ? { ...ok, body: `ok ${token}` } : refused;
  });
  const { body } = await owner<Made>('POST', `${at}/webhooks`, {
    body: { url, events: ['payment_completed'], headers: [{ name: 'X-Token', value: 'open-sesame' }] },
  });
  ({ secret } = body.data);
  return { id: body.data.id, url, got, letGo };
}

async function ended(api: Api, path: string): Promise<Check> {
  const read = async () => (await api<Check>('GET', path)).body.data;
  await expect.poll(async () => (await read()).status, { timeout: 120_000 }).not.toBe('running');
  return await read();
}

describe('a receiver check', () => {
  test('by the API answers at once, and has its findings when it is done', async () => {
    const { id, url } = await openEndpoint();
    const path = `/test/webhook-endpoints/${id}/checks`;
    const started = await app.api<Check>('POST', path);
    expect(started.status).toBe(200);
    expect(started.body.data).toMatchObject({ status: 'running', url, rules: [], finished_at: null });
    expect(started.body.data.planned).toBeGreaterThan(40);
    const done = await ended(app.api, `${path}/${started.body.data.id}`);
    expect(done).toMatchObject({ status: 'done', diagnosis: null });
    expect(done.rules.filter(({ verdict }) => verdict === 'broken')).toMatchObject([
      { rule: 'refuses_replays', title: 'Refuses old deliveries', snippet: 'verify' },
    ]);
    expect(done.score).toEqual({ kept: 9, broken: 1, unclear: 2 });
    expect(done.exchanges).toHaveLength(done.planned);
    const list = await app.api<{ items: Check[] }>('GET', path);
    expect(list.body.data.items.map((item) => item.id)).toEqual([done.id]);
  });

  test('never shows the values of headers that the merchant set', async () => {
    const { id } = await openEndpoint();
    const started = await owner<Check>('POST', `${at}/webhooks/${id}/checks`);
    const done = await ended(reader, `${at}/webhooks/${id}/checks/${started.body.data.id}`);
    expect(done.exchanges[0]?.response).toBe('ok (hidden)');
    expect(JSON.stringify(done)).not.toMatch(/open-sesame|whsec_[A-Za-z0-9+/]{8}|sk_test_[A-Za-z0-9]{8}/);
  });

  test('sends nothing that could be taken for a payment, and leaves no event behind', async () => {
    const { id, got } = await openEndpoint();
    const path = `/test/webhook-endpoints/${id}/checks`;
    const started = await app.api<Check>('POST', path);
    await ended(app.api, `${path}/${started.body.data.id}`);
    const references = got.flatMap((raw) => /"payment_reference"\s*:\s*"([^"]*)/.exec(raw)?.[1] ?? []);
    expect(references.length).toBeGreaterThan(40);
    expect(references.filter((reference) => !reference.startsWith('TEST_CHECK_'))).toEqual([]);
    const { rowCount } = await app.db.query("SELECT FROM events WHERE payment_reference LIKE 'TEST_CHECK_%'");
    expect(rowCount).toBe(0);
  });

  test('runs alone for its endpoint, shows its progress, and is in the audit log', async () => {
    const { id, letGo } = await openEndpoint({ held: true });
    const path = `${at}/webhooks/${id}/checks`;
    const started = await owner<Check>('POST', path);
    const second = await app.api('POST', `/test/webhook-endpoints/${id}/checks`);
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({
      message: 'A check of this endpoint is running: wait until it ends, a minute at most',
    });
    const { id: check } = started.body.data;
    const look = async () => (await owner<Check>('GET', `${path}/${check}`)).body.data;
    await expect.poll(async () => (await look()).exchanges.length).toBeGreaterThan(3);
    expect(await look()).toMatchObject({ status: 'running', rules: [], score: { kept: 0 } });
    letGo();
    expect((await ended(owner, `${path}/${check}`)).status).toBe('done');
    const [entry] = await auditEntries(
      app.db,
      { subject: { kind: 'webhook endpoint', id } },
      { before: null, limit: 1 },
    );
    expect(entry).toMatchObject({
      action: 'checked a webhook receiver',
      actor: { name: 'owner@example.com' },
      after: { check },
    });
  });

  test('asked for by many at the same moment runs once', async () => {
    const { id } = await openEndpoint();
    const path = `/test/webhook-endpoints/${id}/checks`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.api<Check>('POST', path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const started = answers.find(({ status }) => status === 200);
    await ended(app.api, `${path}/${started?.body.data.id}`);
  });

  test('says whose secret a receiver holds: another endpoint’s, or an old one', async () => {
    const other = await openEndpoint();
    const own = await openEndpoint();
    const move = await owner('PUT', `${at}/webhooks/${own.id}`, {
      body: { url: other.url, events: ['payment_completed'] },
    });
    expect(move.status).toBe(200);
    const path = `/test/webhook-endpoints/${own.id}/checks`;
    const first = await app.api<Check>('POST', path);
    const mistaken = await ended(app.api, `${path}/${first.body.data.id}`);
    expect(mistaken.diagnosis).toMatchObject({
      title: 'It refuses genuine deliveries',
      evidence: expect.stringContaining(`keyed with the secret of the endpoint ${other.url}.`),
    });
    const { id } = other;
    await app.api('POST', `/webhook-endpoints/${id}/roll-secret`, { body: { overlap_seconds: 1 } });
    await app.db.query('UPDATE webhook_old_secrets SET valid_until = now() WHERE endpoint_id = $1', [id]);
    const second = await app.api<Check>('POST', `/test/webhook-endpoints/${id}/checks`);
    const late = await ended(app.api, `/test/webhook-endpoints/${id}/checks/${second.body.data.id}`);
    expect(late.diagnosis?.evidence).toContain('keyed with an old secret of this endpoint.');
  });

  test('asked for twice with one Idempotency-Key runs once', async () => {
    const { id } = await openEndpoint();
    const path = `/test/webhook-endpoints/${id}/checks`;
    const ask = () => app.api<Check>('POST', path, { headers: { 'idempotency-key': 'check once' } });
    const first = await ask();
    await ended(app.api, `${path}/${first.body.data.id}`);
    const second = await ask();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body.data.id).toBe(first.body.data.id);
    expect((await app.api<{ items: Check[] }>('GET', path)).body.data.items).toHaveLength(1);
  });

  test('whose process died counts as stopped after its deadline, and another one may begin', async () => {
    const { id } = await openEndpoint();
    const path = `/test/webhook-endpoints/${id}/checks`;
    const dead = '019aa1d2-9b1c-7d22-8f0a-2d6c1b7e4a90';
    await app.db.query(
      `INSERT INTO webhook_checks (id, endpoint_id, url, started_at, deadline, findings)
       VALUES ($1, $2, 'http://127.0.0.1/', now() - interval '2 minutes', now() - interval '1 minute',
         '{"planned": 0, "score": {"kept": 0, "broken": 0, "unclear": 0}, "diagnosis": null, "rules": [], "exchanges": []}')`,
      [dead, id],
    );
    expect((await app.api<Check>('GET', `${path}/${dead}`)).body.data.status).toBe('stopped');
    const started = await app.api<Check>('POST', path);
    expect(started.status).toBe(200);
    await ended(app.api, `${path}/${started.body.data.id}`);
    expect((await app.api<Check>('GET', `${path}/${dead}`)).body.data.status).toBe('stopped');
  });

  test('is kept among the last ten of its endpoint', async () => {
    const { id, url } = await openEndpoint();
    await app.db.query(
      `INSERT INTO webhook_checks (id, endpoint_id, url, started_at, deadline, finished_at, findings)
       SELECT ('019aa1d2-9b1c-7d22-8f0a-2d6c1b7e0' || lpad(n::text, 3, '0'))::uuid, $1, $2, now(), now(), now(),
         '{"planned": 0, "score": {"kept": 0, "broken": 0, "unclear": 0}, "diagnosis": null, "rules": [], "exchanges": []}'
       FROM generate_series(1, 12) n`,
      [id, url],
    );
    const path = `/test/webhook-endpoints/${id}/checks`;
    const started = await app.api<Check>('POST', path);
    await ended(app.api, `${path}/${started.body.data.id}`);
    const { rows } = await app.db.query(
      'SELECT id FROM webhook_checks WHERE endpoint_id = $1 ORDER BY id DESC',
      [id],
    );
    expect(rows.length).toBeLessThanOrEqual(11);
    const { items } = (await app.api<{ items: Check[] }>('GET', path)).body.data;
    expect(items).toHaveLength(10);
    expect(items[0]?.id).toBe(started.body.data.id);
  });

  test('is refused in live mode, by people who may not manage webhooks, and for another’s endpoint', async () => {
    const { id } = await openEndpoint();
    const live = await owner('POST', `${at.replace(/test$/, 'live')}/webhooks/${id}/checks`);
    expect(live.status).toBe(403);
    expect((await reader('POST', `${at}/webhooks/${id}/checks`)).status).toBe(403);
    const nobody = '019aa1d2-9b1c-7d22-8f0a-2d6c1b7e4a91';
    expect((await app.api('POST', `/test/webhook-endpoints/${nobody}/checks`)).status).toBe(404);
    expect((await app.api('GET', `/test/webhook-endpoints/${id}/checks/${nobody}`)).status).toBe(404);
    expect((await app.api('GET', `/test/webhook-endpoints/${id}/checks/x`)).status).toBe(404);
  });
});
