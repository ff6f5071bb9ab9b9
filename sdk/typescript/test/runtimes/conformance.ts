import type * as Sdk from '../../src/index.ts';

/** What the program is given: a gateway, one in front of it that loses answers, and a webhook that it really sent. */
export type World = {
  gatewayUrl: string;
  /** Does each write, but lets its first answer be lost; answers nothing below `/silence`. */
  lossyUrl: string;
  secretKey: string;
  endpointSecret: string;
  webhook: { body: string; headers: Record<string, string> };
};

/**
 * What the SDK must do in every runtime: it uses nothing but web standards, this file too. Gives the names of what
 * was checked; throws at the first that is wrong.
 */
export async function conform(sdk: typeof Sdk, world: World): Promise<string[]> {
  const done: string[] = [];
  const { secretKey } = world;
  const client = sdk.createClient({ secretKey, baseUrl: world.gatewayUrl });
  const lossy = sdk.createClient({ secretKey, baseUrl: world.lossyUrl });

  async function check(name: string, work: () => Promise<unknown>, expected: unknown): Promise<void> {
    const actual = await work().catch((error: unknown) => `threw ${error}`);
    if (actual !== expected) throw new Error(`${name}: ${String(actual)} instead of ${String(expected)}`);
    done.push(name);
  }
  /** The field of the error that the work ends with. */
  const faultOf = async (work: Promise<unknown>, field: string): Promise<unknown> =>
    work.then(
      () => 'no error',
      (error: Record<string, unknown>) => error[field],
    );

  await check('reads health', async () => (await client.health()).status, 'ok');
  await check('reads readiness', async () => typeof (await client.ready()).status, 'string');

  const input = { amount: 12.5, currency: 'USDC', payment_type: 'deposit' } as const;
  const created = await client.payments.create(input);
  const reference = created.PaymentData.payment_reference;
  await check('creates a payment', async () => created.replayed, false);
  await check('reads it', async () => (await client.payments.info(reference)).amount, 12.5);
  await check(
    'creates once though the answer is lost',
    async () => (await lossy.payments.create(input)).replayed,
    true,
  );
  const keyless = sdk.createClient({ secretKey, baseUrl: `${world.lossyUrl}/keyless` });
  const own = { ...input, payment_reference: `OWN_${Date.now()}_${Math.random().toString(36).slice(2)}` };
  await check(
    'finds the payment of its own reference though answer and key are lost',
    async () => (await keyless.payments.create(own)).PaymentURL.includes(own.payment_reference),
    true,
  );
  await check(
    'walks pages',
    async () => {
      for await (const payment of client.payments.listAll({ limit: 1 })) {
        if (payment.payment_reference === reference) return 'found';
      }
      return 'not found';
    },
    'found',
  );
  await check(
    'tells of a refusal',
    () => faultOf(client.payments.create({ ...input, amount: -1 }), 'message'),
    'amount must be a positive number',
  );

  const silent = sdk.createClient({
    secretKey,
    baseUrl: `${world.lossyUrl}/silence`,
    timeoutMs: 100,
    maxRetries: 0,
  });
  await check('gives up after a time', () => faultOf(silent.balances.list(), 'slug'), 'timeout');
  const stop = new AbortController();
  const patient = sdk.createClient({ secretKey, baseUrl: `${world.lossyUrl}/silence` });
  const stopped = faultOf(patient.balances.list({ signal: stop.signal }), 'message');
  setTimeout(() => stop.abort(new Error('stopped')), 20);
  await check('ends at once when it is told to', () => stopped, 'stopped');

  const { body, headers } = world.webhook;
  const secrets = { secretKey, endpointSecret: world.endpointSecret };
  const bytes = new TextEncoder().encode(body);
  const typeOf = async (given: string | Uint8Array | ArrayBuffer, found: Sdk.WebhookHeaders) =>
    (await sdk.verifyWebhook({ body: given, headers: found, ...secrets })).event_type;
  await check('verifies a text', () => typeOf(body, headers), 'payment_completed');
  await check('verifies bytes', () => typeOf(bytes, new Headers(headers)), 'payment_completed');
  await check('verifies a buffer', () => typeOf(bytes.buffer, headers), 'payment_completed');
  await check(
    'refuses a changed body',
    () => faultOf(typeOf(body.replace('completed', 'failed'), headers), 'reason'),
    'wrong_signature',
  );
  await check(
    'names a body that was parsed',
    () => faultOf(typeOf(JSON.stringify(JSON.parse(body), null, 1), headers), 'reason'),
    'body_parsed',
  );
  return done;
}
