import { createHmac, randomBytes, randomUUIDv7 } from 'node:crypto';

/** The secrets that the receiver should hold. A signature whose secret is not known is left out. */
export type Signing = {
  /** `sk_...` */
  secretKey: string | null;
  /** `whsec_...`, the newest first. */
  endpointSecrets: readonly string[];
};

/** The fields of a body, each as it is written in JSON. */
export type Literals = Record<string, string>;

/** A made-up event. Drafts with the same payment and type are the same event: the same id and the same bytes. */
export type EventDraft = {
  /** The end of the payment's reference; drafts that share it are events of one payment. */
  payment: string;
  /** `payment_completed` unless it is given. */
  type?: string;
  /** `completed` unless it is given. */
  status?: string;
  /** 1 unless it is given. */
  sequence?: number;
  /** Writes the body; by default as the gateway does. */
  write?: (literals: Literals) => string;
};

export type MadeEvent = { id: string; sequence: number; body: Buffer };

/** The references of a check begin with this and the mark of the check, so that they equal none of a merchant's. */
export const referencePrefix = 'TEST_CHECK_';

/** Writes a body as the gateway does: without spaces, its fields in their order. */
export function writeBody(literals: Literals): string {
  const fields = Object.entries(literals).map(([name, literal]) => `${JSON.stringify(name)}:${literal}`);
  return `{${fields.join(',')}}`;
}

/** Makes the events of one check. The same draft gives the same event each time. */
export function createEventMaker(mark: string, integrationId: string, now: () => Date) {
  const events = new Map<string, MadeEvent>();
  const paymentIds = new Map<string, string>();
  return (draft: EventDraft): MadeEvent => {
    const { payment, type = 'payment_completed', status = 'completed', sequence = 1 } = draft;
    const key = `${payment} ${type}`;
    const known = events.get(key);
    if (known) return known;
    const id = randomUUIDv7();
    const paymentId = paymentIds.get(payment) ?? randomUUIDv7();
    paymentIds.set(payment, paymentId);
    const literals = {
      event_id: JSON.stringify(id),
      payment_id: JSON.stringify(paymentId),
      currency: '"USDC"',
      amount: '25.5',
      payment_reference: JSON.stringify(`${referencePrefix}${mark}_${payment}`),
      payment_status: JSON.stringify(status),
      service_fee: '0.255',
      customer_email: '"customer@example.com"',
      customer_reference: '"customer-1"',
      integration_id: JSON.stringify(integrationId),
      event_type: JSON.stringify(type),
      timestamp: `${unixSeconds(now())}`,
    };
    const event = { id, sequence, body: Buffer.from((draft.write ?? writeBody)(literals)) };
    events.set(key, event);
    return event;
  };
}

/** The headers of a webhook without its signatures. */
export function plainHeaders(
  { id, sequence }: Pick<MadeEvent, 'id' | 'sequence'>,
  at: Date,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Florin-Webhooks/1',
    'X-Event-Id': id,
    'X-Sequence': `${sequence}`,
    'webhook-id': id,
    'webhook-timestamp': `${unixSeconds(at)}`,
  };
}

/** The signatures of a body, by every secret that is known. */
export function signaturesOf(
  id: string,
  body: string | Buffer,
  { secretKey, endpointSecrets }: Signing,
  at: Date,
): Record<string, string> {
  const head = `${id}.${unixSeconds(at)}.`;
  const standard = endpointSecrets.map((secret) => `v1,${hmac(endpointKey(secret), head, body)}`);
  return {
    ...(secretKey === null ? {} : { 'X-Signature': hmac(secretKey, body) }),
    ...(standard.length === 0 ? {} : { 'webhook-signature': standard.join(' ') }),
  };
}

/** The HMAC key of a `whsec_` secret. */
export function endpointKey(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}

/** HMAC-SHA256 of the joined parts, in base64. */
export function hmac(key: string | Buffer, ...parts: (string | Buffer)[]): string {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest('base64');
}

/** A signature of the right form by a random key. */
export function randomSignature(): string {
  return hmac(randomBytes(32));
}

export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
