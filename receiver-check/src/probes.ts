import { createHmac } from 'node:crypto';
import { type Case, type Delivery, refused } from './case.ts';
import { endpointKey, hmac, type Literals, signaturesOf, unixSeconds } from './delivery.ts';

// Deliveries that only a receiver with a certain mistake takes. Each has the signature that the mistake expects; its other
// signature is right, for receivers that check both.

type Sign = (delivery: Delivery) => Record<string, string>;

const probe = (
  name: string,
  title: string,
  mistakeFix: string,
  signed: Pick<Case, 'needs'> & { headers: Sign },
): Case => refused(name, title, '400: its signature is wrong', { ...signed, mistakeFix });

const keyOf = ({ signing }: Delivery): string => signing.secretKey ?? '';
const secretOf = ({ signing }: Delivery): string => signing.endpointSecrets[0] ?? '';

const plain =
  (key: (delivery: Delivery) => string, encoding: 'base64' | 'hex' | 'base64url'): Sign =>
  (delivery) => ({
    'X-Signature': createHmac('sha256', key(delivery)).update(delivery.event.body).digest(encoding),
  });
const standard =
  (key: (delivery: Delivery) => string | Buffer, hasHead = true): Sign =>
  (delivery) => {
    const { event, at } = delivery;
    const head = hasHead ? `${event.id}.${unixSeconds(at)}.` : '';
    return { 'webhook-signature': `v1,${hmac(key(delivery), head, event.body)}` };
  };
const rewritten =
  (write: (body: string) => string): Sign =>
  ({ event, signing, at }) =>
    signaturesOf(event.id, write(event.body.toString()), signing, at);

const spaced = (body: string): string => body.replaceAll('":', '": ').replaceAll(',"', ', "');
const sorted = (body: string): string => {
  const fields = Object.entries(JSON.parse(body) as Literals);
  return JSON.stringify(Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1))));
};

const base64 = "X-Signature is standard base64, with + and / and =: digest('base64').";
const plainKey =
  'X-Signature is keyed with the secret key (sk_..., the whole text); whsec_ secrets are for webhook-signature.';
const raw =
  'Verify the raw bytes of the request, taken before anything parses them: a parsed body that is written out again has other bytes.';
const decoded =
  "The key of the HMAC is the decoded base64 after `whsec_`, not the text: Buffer.from(secret.slice(6), 'base64').";
const standardKey =
  "webhook-signature is keyed with the endpoint's own secret (whsec_...); sk_ keys are for X-Signature.";
const head = 'What is signed is webhook-id, a dot, webhook-timestamp, a dot, and the raw body.';
const own =
  'Give it the whsec_ secret of this endpoint: each endpoint has its own, and rolling makes a new one.';

const bodyOver = 'Both signatures over the body written out again';
const keyedWith = 'webhook-signature keyed with';
const needsKey = 'secretKey';
const needsSecret = 'endpointSecrets';

const usualMistakes: readonly Case[] = [
  probe('plain_hex', 'X-Signature in hexadecimal', base64, { needs: needsKey, headers: plain(keyOf, 'hex') }),
  probe('plain_base64url', 'X-Signature in base64url', base64, {
    needs: needsKey,
    headers: plain(keyOf, 'base64url'),
  }),
  probe('body_spaced', `${bodyOver} with spaces, as Python does`, raw, { headers: rewritten(spaced) }),
  probe('body_sorted', `${bodyOver} in alphabetical order, as Go does`, raw, { headers: rewritten(sorted) }),
  probe('plain_endpoint_secret', "X-Signature keyed with the endpoint's secret", plainKey, {
    needs: needsSecret,
    headers: plain(secretOf, 'base64'),
  }),
  probe('standard_whole_text', `${keyedWith} the whole text of the secret`, decoded, {
    needs: needsSecret,
    headers: standard(secretOf),
  }),
  probe('standard_undecoded', `${keyedWith} the undecoded base64 of the secret`, decoded, {
    needs: needsSecret,
    headers: standard((delivery) => secretOf(delivery).slice('whsec_'.length)),
  }),
  probe('standard_secret_key', `${keyedWith} the secret key`, standardKey, {
    needs: needsKey,
    headers: standard(keyOf),
  }),
  probe('standard_body_alone', 'webhook-signature over the body alone', head, {
    needs: needsSecret,
    headers: standard((delivery) => endpointKey(secretOf(delivery)), false),
  }),
];

/** A secret of another endpoint or an old one, and whose it is, as part of a sentence. */
export type OtherSecret = { secret: string; whose: string };

/** Deliveries that find the mistake of a receiver that refuses genuine ones. */
export function probesFor(others: readonly OtherSecret[]): Case[] {
  const holdingOther = others.map(({ secret, whose }, index) =>
    probe(`standard_other_${index + 1}`, `${keyedWith} ${whose}`, own, {
      needs: needsSecret,
      headers: standard(() => endpointKey(secret)),
    }),
  );
  return [...usualMistakes, ...holdingOther];
}
