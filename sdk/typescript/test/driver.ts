// The driver of this SDK for the conformance suite: one case a line in, one result a line out.
import type {
  CallCase,
  DestinationCase,
  DriverCase,
  Result,
  WebhookCase,
  WordsCase,
} from '../../conformance/cases.ts';
import { linesOf } from '../../conformance/lines.ts';
import {
  createClient,
  DestinationError,
  destinationAddress,
  FlorinError,
  paymentWords,
  type VerifyDestinationInput,
  verifyDestination,
  verifyWebhook,
  WebhookVerificationError,
} from '../src/index.ts';
import { keccak256 } from '../src/keccak.ts';

type Method = (...args: unknown[]) => unknown;

async function performCall(given: CallCase): Promise<Result> {
  const waitsMs: number[] = [];
  try {
    const { maxRetries, timeoutMs, deadlineMs } = given;
    const client = createClient({
      secretKey: given.secretKey ?? '',
      baseUrl: given.baseUrl ?? '',
      ...(maxRetries !== undefined && { maxRetries }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(deadlineMs !== undefined && { deadlineMs }),
      sleep: async (milliseconds) => void waitsMs.push(milliseconds),
    });
    const args = given.args.map((each) => withNumbers(each, given.numbers ?? [], ''));
    if (given.key !== undefined) args.push({ idempotencyKey: given.key });
    const answer = methodOf(client, given.call)(...args);
    const isList = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
    const data = isList ? await Array.fromAsync(answer as AsyncIterable<unknown>) : await answer;
    return { data: data ?? null, waitsMs };
  } catch (error) {
    if (error instanceof TypeError) return { invalid: true };
    if (!(error instanceof FlorinError)) throw error;
    const { status, code, slug, message, details, requestId, retryAfterSeconds, tries, idempotencyKey } =
      error;
    const fault = {
      status,
      code,
      slug,
      message,
      details,
      requestId,
      retryAfterSeconds,
      tries,
      idempotencyKey,
    };
    return { error: fault, waitsMs };
  }
}

/** The method at a place such as `payouts.topUpAddresses.create`. */
function methodOf(client: object, call: string): Method {
  return call
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], client) as Method;
}

/** What the other languages send from texts is a number here. */
function withNumbers(value: unknown, numbers: readonly string[], path: string): unknown {
  if (numbers.includes(path) && typeof value === 'string') return JSON.parse(value);
  if (Array.isArray(value)) return value.map((each) => withNumbers(each, numbers, `${path}[]`));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    withNumbers(each, numbers, path === '' ? name : `${path}.${name}`),
  ]);
  return Object.fromEntries(entries);
}

async function performWebhook({ kind: _, body, now, ...given }: WebhookCase): Promise<Result> {
  const { secretKey, endpointSecret, ...rest } = given;
  // An absent secret is not the same as one that is not set.
  const secrets = {
    ...('secretKey' in given && { secretKey: secretKey ?? undefined }),
    ...('endpointSecret' in given && { endpointSecret: endpointSecret ?? undefined }),
  };
  try {
    const event = await verifyWebhook({
      ...rest,
      ...secrets,
      body: Buffer.from(body, 'base64'),
      now: new Date(now * 1000),
    });
    return { event: { event_id: event.event_id, event_type: event.event_type } };
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { refusal: error.reason };
    throw error;
  }
}

function performDestination({ kind: _, ...given }: DestinationCase): Result {
  try {
    verifyDestination(given as VerifyDestinationInput);
    return { address: destinationAddress(given.paymentId, given.agreed) };
  } catch (error) {
    if (error instanceof DestinationError) return { refusal: error.reason };
    throw error;
  }
}

function performWords(given: WordsCase): Result {
  try {
    return { words: paymentWords(given) };
  } catch (error) {
    if (error instanceof DestinationError) return { refusal: error.reason };
    throw error;
  }
}

async function perform(given: DriverCase): Promise<Result> {
  if (given.kind === 'call') return await performCall(given);
  if (given.kind === 'webhook') return await performWebhook(given);
  if (given.kind === 'destination') return performDestination(given);
  if (given.kind === 'words') return performWords(given);
  const digest = keccak256(Buffer.from(given.bytes, 'base64'));
  return { digest: Buffer.from(digest).toString('hex') };
}

for await (const line of linesOf(process.stdin)) {
  const result = await perform(JSON.parse(line) as DriverCase);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
