import { createHmac, randomBytes } from 'node:crypto';
import { newId } from '../kit/ids.ts';
import { plainHeaders } from '../webhooks/deliveries/request-headers.ts';
import { bodySignature, endpointKey, standardSignature } from '../webhooks/endpoints/sign.ts';

/** The secrets that the receiver is said to hold; what is not known is not signed with. */
export type Signing = {
  /** `sk_...` */
  secretKey: string | null;
  /** `whsec_...`, the newest first. */
  endpointSecrets: readonly string[];
};

/** A body's fields as JSON spells them. */
export type Literals = Record<string, string>;

/** A made-up event. Drafts with the same `key` are the same event: the same id and the same bytes. */
export type EventDraft = {
  key: string;
  /** What its payment's reference ends with; drafts that share it tell of one payment. */
  payment: string;
  type: string;
  status: string;
  /** 1 unless it says otherwise. */
  sequence?: number;
  /** Fields that differ, as JSON spells them, and fields that no event has yet. */
  literals?: Literals;
  /** How the body is written; by default as the gateway does. */
  write?: (literals: Literals) => string;
};

export type MadeEvent = { id: string; sequence: number; reference: string; body: Buffer };

export type Message = {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: Buffer;
};

/** No payment of a merchant begins so: they choose their references, but none with the run's own mark. */
export const referencePrefix = 'TEST_CHECK_';

export function writeBody(literals: Literals): string {
  return `{${Object.entries(literals)
    .map(([name, literal]) => `${JSON.stringify(name)}:${literal}`)
    .join(',')}}`;
}

/** Makes the events of one run: what was made once stays as it is. */
export function createEventMaker(run: string, integrationId: string, now: () => Date) {
  const made = new Map<string, MadeEvent>();
  const payments = new Map<string, string>();
  return (draft: EventDraft): MadeEvent => {
    const known = made.get(draft.key);
    if (known) return known;
    const id = newId(now());
    const payment = payments.get(draft.payment) ?? newId(now());
    payments.set(draft.payment, payment);
    const reference = `${referencePrefix}${run}_${draft.payment}`;
    const literals = {
      event_id: JSON.stringify(id),
      payment_id: JSON.stringify(payment),
      currency: '"USDC"',
      amount: '25.5',
      payment_reference: JSON.stringify(reference),
      payment_status: JSON.stringify(draft.status),
      service_fee: '0.255',
      customer_email: '"customer@example.com"',
      customer_reference: '"customer-1"',
      integration_id: JSON.stringify(integrationId),
      event_type: JSON.stringify(draft.type),
      timestamp: `${Math.floor(now().getTime() / 1000)}`,
      ...draft.literals,
    };
    const body = Buffer.from((draft.write ?? writeBody)(literals));
    const event = { id, sequence: draft.sequence ?? 1, reference, body };
    made.set(draft.key, event);
    return event;
  };
}

/** The delivery as the gateway makes it (contract.md 4). */
export function messageOf({ id, sequence, body }: MadeEvent, signing: Signing, at: Date): Message {
  return {
    method: 'POST',
    headers: {
      ...plainHeaders({ eventId: id, sequence, at }),
      // One connection for each, so that none fails for what another did to a shared one.
      Connection: 'close',
      ...signaturesOf(id, body, signing, at),
    },
    body,
  };
}

export function signaturesOf(
  id: string,
  body: Buffer,
  { secretKey, endpointSecrets }: Signing,
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const plain = secretKey === null ? null : bodySignature(body, Buffer.from(secretKey));
  const keys = endpointSecrets.map(endpointKey);
  return {
    ...(plain === null ? {} : { 'X-Signature': plain }),
    ...(keys.length === 0 ? {} : { 'webhook-signature': standardSignature({ id, timestamp, body }, keys) }),
  };
}

/** A signature of the right form that nobody's key made. */
export function madeUpSignature(): string {
  return createHmac('sha256', randomBytes(32)).digest('base64');
}
