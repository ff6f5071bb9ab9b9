import { type WebhookRefusal, WebhookVerificationError } from './errors.ts';
import { type RawBody, readBody } from './webhook-body.ts';
import type { WebhookEvent } from './webhook-events.ts';
import { explain } from './webhook-explain.ts';
import { findHeader, type WebhookHeaders } from './webhook-headers.ts';
import { readEndpointSecrets, readSecretKeys, type SecretOptions } from './webhook-secrets.ts';
import { fits, plainSignature, type Signature, standardSignature } from './webhook-signature.ts';

/** What `verifyWebhook` needs. Give both secrets to have both signatures checked. */
export type VerifyWebhookInput = SecretOptions & {
  /** The body exactly as it came, not parsed. */
  body: RawBody;
  headers: WebhookHeaders;
  /** How far webhook-timestamp may be from `now`; 300 by default. */
  toleranceSeconds?: number | undefined;
  now?: Date | undefined;
};

/**
 * Verifies that a webhook came from your gateway and returns its event. How webhooks are signed: contract.md#webhooks.
 * Deliveries can repeat: process each `event_id` once. Types that this version does not know are returned too.
 * @throws WebhookVerificationError when it cannot be verified: answer 400.
 */
export async function verifyWebhook(input: VerifyWebhookInput): Promise<WebhookEvent> {
  const secretKeys = readSecretKeys(input);
  const endpointSecrets = readEndpointSecrets(input);
  const body = readBody(input.body);

  const signatures: Signature[] = [];
  if (secretKeys) signatures.push(plainSignature(secretKeys, input.headers));
  if (endpointSecrets) signatures.push(standardSignature(endpointSecrets, input.headers));
  if (signatures.length === 0) refuse('no_secret', 'Pass secretKey, endpointSecret or both');

  const fitting = await Promise.all(signatures.map(async (one) => fits(await one.sign(body), one.given)));
  const wrong = signatures.find((_, index) => !fitting[index]);
  if (wrong) throw await explain(wrong, signatures[fitting.indexOf(true)], body);
  if (endpointSecrets) checkAge(findHeader(input.headers, 'webhook-timestamp')!, input);
  return readEvent(body, input.headers);
}

function checkAge(timestamp: string, { toleranceSeconds = 300, now = new Date() }: VerifyWebhookInput): void {
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number.parseInt(timestamp, 10);
  const clock = `${toleranceSeconds} s are allowed. If it is a true one, this machine's clock is`;
  if (ageSeconds < -toleranceSeconds) {
    refuse('too_new', `The webhook's time lies ${-ageSeconds} s ahead, and ${clock} behind`);
  }
  // Written so that a timestamp that is not a number is refused too.
  if (!(ageSeconds <= toleranceSeconds)) {
    refuse(
      'too_old',
      `The webhook was sent ${ageSeconds} s ago, and ${clock} ahead, or something held it back`,
    );
  }
}

function readEvent(body: Uint8Array, headers: WebhookHeaders): WebhookEvent {
  const event = parseEvent(body);
  const announced = findHeader(headers, 'x-event-id');
  if (announced !== undefined && announced !== event.event_id) {
    refuse('event_id_mismatch', 'X-Event-Id is not the event_id of the body');
  }
  return event;
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
    if (typeof event.event_id === 'string' && typeof event.event_type === 'string') return event;
  } catch {
    // Falls through: what is not JSON is not an event either.
  }
  return refuse('not_an_event', 'The signature is right, but the body is not an event');
}

function refuse(reason: WebhookRefusal, message: string): never {
  throw new WebhookVerificationError(reason, message);
}
