import { describe, expect, test } from 'vitest';
import {
  type Answer,
  cannotBeSeen,
  careful,
  check,
  checksPlain,
  checksStandard,
  isFresh,
  listen,
  ok,
  parse,
  plainSignature,
  refused,
  ruleOf,
  startReceiver,
  verdicts,
} from '../test/fixtures.ts';

describe('a receiver without a fault', () => {
  test('that checks both signatures keeps every rule that can be seen from outside', async () => {
    const seen = new Set<string>();
    const url = await startReceiver(
      careful(({ event_id }) => {
        seen.add(event_id);
        return ok;
      }),
    );
    const findings = await check(url);
    expect(verdicts(findings)).toEqual(cannotBeSeen);
    expect(findings.diagnosis).toBeNull();
    expect(findings.score).toEqual({ kept: 10, broken: 0, unclear: 2 });
    expect(findings.exchanges.filter(({ as_expected }) => as_expected === false)).toEqual([]);
    expect(findings.exchanges).toHaveLength(findings.planned);
    const { evidence } = ruleOf(findings, 'refuses_forged');
    expect(evidence).toBe('5 forged ones were refused. It checks both signatures.');
  });

  test('that checks X-Signature alone is advised that it cannot refuse replays', async () => {
    const url = await startReceiver((request) => (checksPlain(request) && parse(request.raw) ? ok : refused));
    const findings = await check(url);
    expect(verdicts(findings)).toEqual({ ...cannotBeSeen, refuses_replays: 'unclear' });
    expect(ruleOf(findings, 'refuses_forged').evidence).toContain('X-Signature alone');
  });

  test('that checks webhook-signature alone keeps every rule', async () => {
    const url = await startReceiver((request) =>
      checksStandard(request) && isFresh(request) && parse(request.raw) ? ok : refused,
    );
    const findings = await check(url);
    expect(verdicts(findings)).toEqual(cannotBeSeen);
    expect(ruleOf(findings, 'refuses_forged').evidence).toContain('webhook-signature alone');
  });

  test.each([201, 204])('may answer %i, which is noted', async (status) => {
    const findings = await check(await startReceiver(careful(() => ({ status }))));
    expect(verdicts(findings)).toEqual(cannotBeSeen);
    expect(ruleOf(findings, 'answers_quickly').evidence).toContain(`${status}`);
  });

  test('may ask one of two at the same moment to come back later', async () => {
    const busy = new Set<string>();
    const url = await startReceiver(
      careful(({ event_id, payment_reference }) => {
        if (!payment_reference.endsWith('TWICE') || busy.has(`${event_id} again`)) return ok;
        if (busy.has(event_id)) {
          busy.add(`${event_id} again`);
          return { status: 409, body: 'in use' };
        }
        busy.add(event_id);
        return ok;
      }),
    );
    expect(verdicts(await check(url))).toEqual(cannotBeSeen);
  });

  test('may say that it had an event before, which counts', async () => {
    const seen = new Set<string>();
    const url = await startReceiver(
      careful(({ event_id }) => {
        const isRepeat = seen.has(event_id);
        seen.add(event_id);
        return { status: 200, body: isRepeat ? 'repeated' : 'applied' };
      }),
    );
    expect(verdicts(await check(url))).toEqual({ order_state: 'unclear' });
  });

  test('may limit its rate: a delivery that comes back later is judged', async () => {
    const seen = new Set<string>();
    const url = await startReceiver((request) => {
      const mark = `${request.headers['webhook-signature']} ${request.headers['x-event-id']} ${request.raw}`;
      if (seen.has(mark)) return careful(() => ok)(request);
      seen.add(mark);
      return { status: 429, headers: { 'retry-after': '0' } };
    });
    const { rules, diagnosis } = await check(url);
    expect(diagnosis).toBeNull();
    expect(rules.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  });

  test('may answer 501 to a GET', async () => {
    const url = await startReceiver((request) =>
      request.method === 'GET' ? { status: 501 } : careful(() => ok)(request),
    );
    expect(verdicts(await check(url))).toEqual(cannotBeSeen);
  });

  test('may answer with any text', async () => {
    const body = `\0${'🧾'.repeat(40_000)}`;
    const findings = await check(await startReceiver(careful(() => ({ status: 200, body }))));
    expect(verdicts(findings)).toEqual(cannotBeSeen);
    expect(JSON.stringify(findings)).not.toMatch(/\\u(?:0000|d[89a-f])/);
  });
});

describe('a receiver with one fault', () => {
  test('that verifies nothing has that as its diagnosis', async () => {
    const findings = await check(await startReceiver(({ raw }) => (parse(raw) ? ok : refused)));
    expect(findings.diagnosis).toMatchObject({ title: 'It verifies nothing', snippet: 'verify' });
    expect(verdicts(findings)).toEqual({
      ...cannotBeSeen,
      refuses_forged: 'broken',
      raw_bytes: 'unclear',
      refuses_replays: 'unclear',
      rotation: 'unclear',
    });
  });

  test('that parses the body before it verifies is found by spellings', async () => {
    const url = await startReceiver((request) => {
      const event = parse(request.raw);
      const again = Buffer.from(JSON.stringify(event));
      return event && checksPlain({ ...request, raw: again }) && isFresh(request) ? ok : refused;
    });
    const findings = await check(url);
    expect(verdicts(findings)).toMatchObject({ raw_bytes: 'broken' });
    expect(verdicts(findings)).not.toMatchObject({ refuses_forged: 'broken' });
    const rule = ruleOf(findings, 'raw_bytes');
    expect(rule).toMatchObject({ snippet: 'raw-body' });
    expect(rule.evidence).toContain('spaces and line breaks: it answered 400');
  });

  test('that answers 500 to a repeat does not handle events once', async () => {
    const seen = new Set<string>();
    const url = await startReceiver(
      careful(({ event_id }) => {
        if (seen.has(event_id)) return { status: 500, body: 'duplicate key value' };
        seen.add(event_id);
        return ok;
      }),
    );
    const findings = await check(url);
    expect(verdicts(findings)).toMatchObject({ handles_once: 'broken' });
    expect(ruleOf(findings, 'handles_once').evidence).toContain('500');
    expect(ruleOf(findings, 'handles_once').evidence).toContain('duplicate key value');
  });

  test('that fails on a signature of another length is found to crash', async () => {
    const url = await startReceiver((request) => {
      if (request.method === 'GET') return { status: 405 };
      const { 'x-signature': given = '' } = request.headers;
      if (`${given}`.length !== plainSignature('').length) return { status: 500, body: 'RangeError' };
      return careful(() => ok)(request);
    });
    const findings = await check(url);
    expect(verdicts(findings)).toEqual({ ...cannotBeSeen, refuses_forged: 'broken' });
  });

  test.each([
    ['answers 500', { status: 500, body: 'SyntaxError' }],
    ['breaks the connection', null],
  ])('that %s when the body is not JSON breaks the rule of nonsense', async (_, crash) => {
    const url = await startReceiver((request) => {
      if (request.method === 'GET') return { status: 405 };
      if (!checksPlain(request) || !checksStandard(request) || !isFresh(request)) return refused;
      return parse(request.raw) ? ok : crash;
    });
    const findings = await check(url);
    expect(verdicts(findings)).toEqual({ ...cannotBeSeen, nonsense: 'broken' });
  });

  test('that refuses unknown events breaks that rule alone', async () => {
    const known = /completed|failed|abandoned|pending/;
    const url = await startReceiver(
      careful(({ event_type }) => (known.test(event_type) ? ok : { status: 422, body: 'unknown event' })),
    );
    expect(verdicts(await check(url))).toEqual({ ...cannotBeSeen, unknown_events: 'broken' });
  });

  test.each([
    ['404', { status: 404, body: 'no such order' }],
    ['500', { status: 500, body: 'Cannot read properties of undefined' }],
    ['400, as to a forged one,', { status: 400, body: 'unknown order' }],
  ])('that answers %s to unknown payments is still judged by the other rules', async (_, answer: Answer) => {
    const findings = await check(await startReceiver(careful(() => answer)));
    expect(findings.diagnosis?.title).toContain('payments that it does not know');
    expect(verdicts(findings)).toMatchObject({ unknown_payments: 'broken', answers_quickly: 'unclear' });
    expect(ruleOf(findings, 'unknown_payments').evidence).toMatch(
      /^It refuses forged deliveries, but genuine/,
    );
    expect(Object.values(verdicts(findings)).filter((verdict) => verdict === 'broken')).toHaveLength(1);
    expect(findings.rules[2]).toMatchObject({ rule: 'refuses_forged', verdict: 'kept' });
  });

  test('that echoes a delivery of an unknown payment is judged by its status', async () => {
    const url = await startReceiver(careful((_, { raw }) => ({ status: 404, body: `unknown: ${raw}` })));
    const broken = (await check(url)).rules.filter(({ verdict }) => verdict === 'broken');
    expect(broken.map(({ rule }) => rule)).toEqual(['unknown_payments']);
  });

  test('that takes old deliveries though it checks webhook-signature does not refuse replays', async () => {
    const url = await startReceiver((request) =>
      checksPlain(request) && checksStandard(request) && parse(request.raw) ? ok : refused,
    );
    expect(verdicts(await check(url))).toEqual({ ...cannotBeSeen, refuses_replays: 'broken' });
  });

  test('that reads only the first of two signatures breaks the rule of rotation', async () => {
    const url = await startReceiver((request) => {
      const [first] = `${request.headers['webhook-signature']}`.split(' ');
      const headers = { ...request.headers, 'webhook-signature': first };
      return careful(() => ok)({ ...request, headers });
    });
    expect(verdicts(await check(url))).toEqual({ ...cannotBeSeen, rotation: 'broken' });
  });

  test('that fails at a late event breaks the rule of any order', async () => {
    const paid = new Set<string>();
    const url = await startReceiver(
      careful(({ event_type, payment_reference }) => {
        if (event_type === 'payment_pending' && paid.has(payment_reference)) return { status: 409 };
        if (event_type === 'payment_completed') paid.add(payment_reference);
        return ok;
      }),
    );
    expect(verdicts(await check(url))).toMatchObject({ any_order: 'broken', order_state: 'broken' });
  });

  test('that wants decimals in every amount does not take every value', async () => {
    const url = await startReceiver(
      careful((_, { raw }) => (/"amount":\d+\.\d+[,}]/.test(raw.toString()) ? ok : { status: 422 })),
    );
    expect(verdicts(await check(url))).toMatchObject({ every_value: 'broken' });
  });

  test('that reads only the first piece of a body breaks the first rule', async () => {
    const url = await listen((request, response) => {
      if (request.method === 'GET') return void response.writeHead(405).end();
      const answerTo = async (raw: Buffer) => {
        const answer = await careful(() => ok)({ raw, headers: request.headers, method: 'POST' });
        response.writeHead(answer?.status ?? 500).end(answer?.body);
      };
      request.once('data', (raw: Buffer) => void answerTo(raw));
      request.once('end', () => response.headersSent || void response.writeHead(400).end());
    });
    const rule = ruleOf(await check(url), 'answers_quickly');
    expect(rule.verdict).toBe('broken');
    expect(rule.evidence).toContain('in pieces: it answered 400');
  });

  test('that never answers genuine ones in time gets the advice to answer first', async () => {
    const url = await startReceiver(careful(() => new Promise(() => {})));
    const findings = await check(url, { timeoutMs: 2_000 });
    expect(findings.diagnosis).toMatchObject({ title: 'It answers too late', snippet: 'answer-first' });
    expect(verdicts(findings)).toMatchObject({ answers_quickly: 'broken' });
    const broken = findings.rules.filter(({ verdict }) => verdict === 'broken');
    expect(broken.map(({ rule }) => rule)).toEqual(['answers_quickly']);
  });
});
