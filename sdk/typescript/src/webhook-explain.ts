import { type Bytes, fromBase64, fromLatin1, utf8 } from './bytes.ts';
import { type WebhookRefusal, WebhookVerificationError } from './errors.ts';
import { fits, type Signature } from './webhook-signature.ts';

/**
 * The likeliest cause of a wrong signature, found by trying what receivers are known to do to a body. It never makes a
 * webhook valid: it only finds the message, which holds nothing of a secret.
 */
export async function explain(
  wrong: Signature,
  right: Signature | undefined,
  body: Bytes,
): Promise<WebhookVerificationError> {
  const { header, option, given } = wrong;
  const refusal = (reason: WebhookRefusal, message: string) => new WebhookVerificationError(reason, message);
  if (right) {
    const cause = `the body is genuine, and ${option} is an old one or of another integration, mode or endpoint`;
    return refusal('wrong_signature', `${right.header} fits the body and ${header} does not: ${cause}`);
  }
  const expected = await wrong.sign(body);
  if (fits(expected.flatMap(otherSpellings), given)) {
    return refusal(
      'wrong_signature',
      `${header} is right but not in standard base64: something changed it on its way`,
    );
  }
  for (const { restore, reason, message } of alterations) {
    const original = restore(body);
    if (original && fits(await wrong.sign(original), given)) return refusal(reason, message);
  }
  const advice = `check that ${option} belongs to this integration and mode, and that the body is the raw one`;
  return refusal('wrong_signature', `${header} does not fit the body: ${advice}`);
}

/** Base64url, and hexadecimal in both cases. */
function otherSpellings(signature: string): string[] {
  const hex = Array.from(atob(signature), (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join(
    '',
  );
  const url = signature.replaceAll('+', '-').replaceAll('/', '_');
  return [hex, hex.toUpperCase(), url, url.replace(/=+$/, '')];
}

type Alteration = { restore: (body: Bytes) => Bytes | undefined; reason: WebhookRefusal; message: string };

const alterations: Alteration[] = [
  {
    restore: serialisedAgain,
    reason: 'body_parsed',
    message:
      'The body was parsed before verification and written as JSON again, which changed its bytes: ' +
      'verify the raw body, and parse it afterwards',
  },
  {
    restore: (body) => fromBase64(textOf(body)),
    reason: 'body_decoded',
    message: 'The body is still base64, as some serverless platforms hand it over: decode it first',
  },
  {
    restore: (body) => fromLatin1(textOf(body)),
    reason: 'body_decoded',
    message: 'The body was decoded as Latin-1, but is UTF-8: pass the raw bytes',
  },
];

/** The order in which the gateway writes the fields of each event: a receiver that serialises a map may have sorted them. */
const firstFields =
  'event_id,payment_id,currency,payout_id,payout_reference,purpose,asset,amount,payment_reference,payment_status,' +
  'service_fee,customer_email,customer_reference,fee,to,memo,payout_status,transaction,integration_id,event_type,timestamp';
const lastFields = 'refund_id,refund_asset,refund_amount,endpoint_id,url,reason,failing_since';

function serialisedAgain(body: Bytes): Bytes | undefined {
  try {
    const event = JSON.parse(textOf(body)) as object;
    // An event of a price has its paid amount before `short`.
    const paid = 'paid_asset' in event ? 'paid_asset,paid_amount,paid_fee,rate,short' : 'short,paid_amount';
    return utf8(JSON.stringify(event, `${firstFields},${paid},${lastFields}`.split(',')));
  } catch {
    return undefined;
  }
}

function textOf(body: Bytes): string {
  return new TextDecoder().decode(body);
}
