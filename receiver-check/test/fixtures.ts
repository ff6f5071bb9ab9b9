import { createHmac, randomUUIDv7, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createHttpSender } from '../../gateway/src/kit/net/safe-fetch.ts';
import { checkReceiver, type Findings, type RuleReport, type Signing, type Verdict } from '../src/index.ts';

export const endpointSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const signing: Signing & { secretKey: string } = {
  secretKey: `sk_test_${'k'.repeat(32)}`,
  endpointSecrets: [endpointSecret],
};

/** Opens a server until the test ends; answers its address. */
export async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

/** Checks a receiver as the gateway does. */
export async function check(
  url: string,
  options: { signing?: Signing; headers?: Record<string, string>; timeoutMs?: number } = {},
): Promise<Findings> {
  const { timeoutMs = 5_000 } = options;
  const sender = createHttpSender({ timeoutMs });
  try {
    return await checkReceiver({
      receiver: {
        send: (request) => sender.send({ ...request, url: new URL(url), reach: 'loopback' }),
        timeoutMs,
        headers: options.headers ?? {},
        signing: options.signing ?? signing,
        otherSecrets: [],
        integrationId: randomUUIDv7(),
      },
      now: () => new Date(),
      onProgress: () => {},
    });
  } finally {
    await sender.close();
  }
}

/** The verdicts by rule; those that are kept are left out. */
export function verdicts({ rules }: Findings): Record<string, Verdict> {
  return Object.fromEntries(
    rules.filter(({ verdict }) => verdict !== 'kept').map(({ rule, verdict }) => [rule, verdict]),
  );
}

/** The report of one rule. */
export function ruleOf({ rules }: Findings, name: string): RuleReport {
  const found = rules.find(({ rule }) => rule === name);
  if (!found) throw new Error(`the report has no rule ${name}`);
  return found;
}

/** What answers alone never show. */
export const cannotBeSeen = { handles_once: 'unclear', order_state: 'unclear' } as const;

export type Event = { event_id: string; event_type: string; payment_reference: string };

export type Request = { raw: Buffer; headers: IncomingHttpHeaders; method: string };

/** What a receiver does with a request; `{ status, body, headers }`, or null to break the connection. */
export type Handler = (request: Request) => Answer | null | Promise<Answer | null>;

export type Answer = { status: number; body?: string; headers?: Record<string, string> };

/** A receiver that takes the raw bytes and lets `handler` do the rest. */
export function startReceiver(handler: Handler): Promise<string> {
  return listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers, method = '' } = request;
    const answer = await handler({ raw: Buffer.concat(chunks), headers, method });
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
    else response.destroy();
  });
}

export function equal(expected: string, given: unknown): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(typeof given === 'string' ? given : '')];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function plainSignature(body: Buffer | string, key: string = signing.secretKey): string {
  return createHmac('sha256', key).update(body).digest('base64');
}

export function standardSignature(headers: IncomingHttpHeaders, body: Buffer, key: Buffer | string): string {
  const head = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  return `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`;
}

export function endpointKeyOf(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}

export const endpointKey = endpointKeyOf(endpointSecret);

export function checksPlain({ raw, headers }: Request, key = signing.secretKey): boolean {
  return equal(plainSignature(raw, key), headers['x-signature']);
}

export function checksStandard({ raw, headers }: Request, key: Buffer | string = endpointKey): boolean {
  const given = `${headers['webhook-signature'] ?? ''}`.split(' ');
  const right = standardSignature(headers, raw, key);
  return given.some((one) => equal(right, one));
}

export function isFresh({ headers }: Request): boolean {
  return Math.abs(Date.now() / 1000 - Number.parseInt(`${headers['webhook-timestamp']}`, 10)) <= 300;
}

/** An event, or null for what is none. */
export function parse(raw: Buffer): Event | null {
  try {
    const event = JSON.parse(raw.toString()) as Event | null;
    return typeof event?.event_id === 'string' ? event : null;
  } catch {
    return null;
  }
}

export const refused: Answer = { status: 400, body: 'not genuine' };

/** A receiver with both signatures checked; `handle` answers what is genuine. */
export function careful(
  handle: (event: Event, request: Request) => Answer | null | Promise<Answer>,
): Handler {
  return (request) => {
    if (!checksPlain(request) || !checksStandard(request) || !isFresh(request)) return refused;
    const event = parse(request.raw);
    return event ? handle(event, request) : refused;
  };
}

export const ok: Answer = { status: 200, body: 'ok' };
