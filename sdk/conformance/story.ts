import { expect } from 'vitest';
import type { openReceiver } from '../../gateway/test/webhooks/receiver.ts';
import type { Result } from './cases.ts';
import type { Driver } from './drivers.ts';

/** One call of the story; `{{name}}` stands for what an earlier step saved. `webhook` waits for that of a payment. */
export type Step = {
  call: string;
  args: unknown[];
  key?: string;
  numbers?: string[];
  as?: 'payouts' | 'refunds';
  save?: Record<string, string>;
  /** What the result has, among others; `"list"` stands for any list. */
  expect: Result;
  /** Languages whose types do not let it be written. */
  notIn?: string[];
};

export type World = {
  driver: Driver;
  receiver: Awaited<ReturnType<typeof openReceiver>>;
  baseUrl: string;
  keys: Record<'all' | 'payouts' | 'refunds', string>;
};

/** Plays every step by one driver, against a gateway. */
export async function playStory(world: World, language: string, steps: readonly Step[]): Promise<void> {
  const saved: Record<string, string> = { run: `conformance-${language}`, receiver: world.receiver.url };
  for (const written of steps) {
    const step = filled(written, saved) as Step;
    if (step.notIn?.includes(language)) continue;
    const result =
      step.call === 'webhook' ? await receive(world, saved, `${step.args[0]}`) : await call(world, step);
    expect(result, `${step.call} ${JSON.stringify(step.args)}`).toMatchObject(wanted(step.expect));
    for (const [name, path] of Object.entries(step.save ?? {})) saved[name] = `${at(result.data, path)}`;
  }
}

async function call(
  { driver, baseUrl, keys }: World,
  { call: name, args, key, numbers, as }: Step,
): Promise<Result> {
  return driver.ask({
    kind: 'call',
    call: name,
    args,
    baseUrl,
    secretKey: keys[as ?? 'all'],
    ...(key !== undefined && { key }),
    ...(numbers && { numbers }),
  });
}

/** The webhook of a payment, as it came over the wire. */
async function receive({ driver, receiver, keys }: World, saved: Record<string, string>, reference: string) {
  const { raw, headers } = await receiver.next(
    ({ body }) => body.payment_reference === reference,
    'The webhook of the story',
  );
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return driver.ask({
    kind: 'webhook',
    body: raw.toString('base64'),
    headers: Object.fromEntries(texts) as Record<string, string>,
    secretKey: keys.all,
    endpointSecret: saved.endpointSecret ?? '',
    now: JSON.parse(`${headers['webhook-timestamp']}`) as number,
  });
}

function filled(value: unknown, saved: Record<string, string>): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => saved[name] ?? '');
  if (Array.isArray(value)) return value.map((each) => filled(each, saved));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, saved)]));
}

function wanted(value: unknown): object {
  if (value === 'list') return expect.any(Array) as object;
  if (Array.isArray(value)) return value.map((each) => wantedOrPlain(each));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, each]) => [name, wantedOrPlain(each)]),
  );
}

const wantedOrPlain = (value: unknown): unknown =>
  value === 'list' || (typeof value === 'object' && value !== null) ? wanted(value) : value;

/** The value at a path such as `PaymentData.payment_reference`. */
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner, name) => (inner as Record<string, unknown>)[name], value);
