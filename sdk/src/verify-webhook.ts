import { WebhookVerificationError } from './errors.ts';
import { equalInConstantTime, hmacSha256 } from './hmac.ts';
import type { WebhookEvent } from './types.ts';

/** Headers as fetch has them, or as Node has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** One secret, or several while one is being rolled. */
export type Secrets = string | readonly string[] | undefined;

/** What `verifyWebhook` needs. Give both secrets to have both signatures checked. */
export type VerifyWebhookInput = {
  /** The body exactly as it came, not parsed. */
  body: string | Uint8Array;
  headers: WebhookHeaders;
  /** The integration's signing key (`sk_...`): checks X-Signature. */
  secretKey?: Secrets;
  /** The endpoint's secret (`whsec_...`): checks webhook-signature, which also stops replays. */
  endpointSecret?: Secrets;
  /** How far webhook-timestamp may be from `now`; 300 by default. */
  toleranceSeconds?: number;
  now?: Date;
};

/**
 * Proves that a webhook came from your gateway and returns its event. Signatures are those of contract.md 4.
 * Deliveries can repeat: process each `event_id` once.
 * @throws WebhookVerificationError for whatever must not be believed: answer 400.
 */
export async function verifyWebhook(input: VerifyWebhookInput): Promise<WebhookEvent> {
  const secretKeys = readSecrets('secretKey', input.secretKey, 'sk_');
  const endpointSecrets = readSecrets('endpointSecret', input.endpointSecret, 'whsec_');
  if (!secretKeys && !endpointSecrets) refuse('no_secret', 'Pass secretKey, endpointSecret or both');

  const body = readBytes(input.body);
  if (secretKeys) await checkPlainSignature(secretKeys, input.headers, body);
  if (endpointSecrets) await checkStandardSignature(endpointSecrets, input, body);
  return readEvent(body, input.headers);
}

/** X-Signature: over the body alone, keyed with the whole secret key. */
async function checkPlainSignature(keys: readonly string[], headers: WebhookHeaders, body: Bytes) {
  const given = requireHeader(headers, 'x-signature');
  const expected = await Promise.all(keys.map((key) => hmacSha256(utf8(key), body)));
  requireMatch(expected, [given], 'X-Signature', 'secretKey');
}

/** Standard Webhooks: over id, timestamp and body; one `v1,` signature for each valid secret. */
async function checkStandardSignature(secrets: readonly string[], input: VerifyWebhookInput, body: Bytes) {
  const id = requireHeader(input.headers, 'webhook-id');
  const timestamp = requireHeader(input.headers, 'webhook-timestamp');
  const signatures = requireHeader(input.headers, 'webhook-signature').split(' ');
  const given = signatures.filter((item) => item.startsWith('v1,')).map((item) => item.slice(3));

  const signed = joinBytes(utf8(`${id}.${timestamp}.`), body);
  const expected = await Promise.all(secrets.map((secret) => hmacSha256(decodeSecret(secret), signed)));
  requireMatch(expected, given, 'webhook-signature', 'endpointSecret');
  checkAge(timestamp, input);
}

function checkAge(timestamp: string, { toleranceSeconds = 300, now = new Date() }: VerifyWebhookInput) {
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number.parseInt(timestamp, 10);
  const limit = `more than ${toleranceSeconds} s; if it is a true one, check this machine's clock`;
  if (ageSeconds < -toleranceSeconds) refuse('too_new', `The webhook's time lies ahead by ${limit}`);
  // Written so that a timestamp which is no number is refused too.
  if (!(ageSeconds <= toleranceSeconds)) refuse('too_old', `The webhook was sent too long ago, ${limit}`);
}

function requireMatch(expected: string[], given: string[], header: string, secret: string): void {
  let matches = 0;
  for (const one of expected) for (const other of given) matches += equalInConstantTime(one, other) ? 1 : 0;
  if (matches > 0) return;
  const advice = `check that ${secret} belongs to this integration and mode, and that the body is the raw one`;
  refuse('wrong_signature', `${header} does not fit the body: ${advice}`);
}

function readEvent(body: Bytes, headers: WebhookHeaders): WebhookEvent {
  const event = parseEvent(body);
  const announced = findHeader(headers, 'x-event-id');
  if (announced !== undefined && announced !== event.event_id) {
    refuse('event_id_mismatch', 'X-Event-Id is not the event_id of the body');
  }
  return event;
}

function parseEvent(body: Bytes): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
    if (typeof event.event_id === 'string' && typeof event.event_type === 'string') return event;
  } catch {
    // Falls through: what is not JSON is not an event either.
  }
  return refuse('not_an_event', 'The signature is right, but the body is not an event');
}

type Bytes = Uint8Array<ArrayBuffer>;

function readBytes(body: unknown): Bytes {
  if (typeof body === 'string') return utf8(body);
  // Not instanceof: a Buffer of another realm (a test runner's, say) is raw bytes too.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  return refuse('body_parsed', 'The body was parsed before verification: pass the raw bytes or the raw text');
}

function readSecrets(option: string, value: Secrets, prefix: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const secrets = typeof value === 'string' ? [value] : value;
  const right = secrets.length > 0 && secrets.every((secret) => secret?.startsWith(prefix));
  return right ? secrets : refuse('bad_secret', `${option} must be a secret that starts with ${prefix}`);
}

function decodeSecret(secret: string): Bytes {
  const text = secret.slice('whsec_'.length);
  if (!/^[A-Za-z0-9+/]+=*$/.test(text)) {
    refuse('bad_secret', 'endpointSecret is not base64 after whsec_: copy it again');
  }
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = findHeader(headers, name);
  return value || refuse('missing_header', `The header ${name} is missing: pass the request's own headers`);
}

function findHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return Array.isArray(value) ? value.join(' ') : value;
}

function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function';
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function joinBytes(first: Bytes, second: Bytes): Bytes {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

function refuse(reason: WebhookVerificationError['reason'], message: string): never {
  throw new WebhookVerificationError(reason, message);
}
