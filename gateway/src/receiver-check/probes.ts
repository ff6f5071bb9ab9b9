import { createHmac } from 'node:crypto';
import { bodySignature, endpointKey } from '../webhooks/endpoints/sign.ts';
import { type Case, type CaseContext, completed, withHeaders } from './case.ts';
import { type Literals, signaturesOf } from './message.ts';

/** A delivery that only a receiver with one certain mistake takes. */
export type Probe = Case & {
  /** The mistake, as a sentence. */
  finding: string;
  fix: string;
};

type Draft = Pick<Probe, 'name' | 'title' | 'finding' | 'fix'>;

const rawFix =
  'Sign the raw bytes of the request, taken before anything parses them: a parsed body written out again is another text.';
const decodeFix =
  "The HMAC's key is what the base64 after `whsec_` decodes to, not the text: Buffer.from(secret.slice(6), 'base64').";

/**
 * The usual mistakes. Each changes what the mistake changes and leaves the rest right, so that a receiver which
 * checks both signatures is found out too.
 */
export const probes: readonly Probe[] = [
  plain(
    {
      name: 'plain_hex',
      title: 'X-Signature in hexadecimal',
      finding: 'It compares X-Signature as hexadecimal.',
      fix: "X-Signature is standard base64: digest('base64'), not digest('hex').",
    },
    (body, key) => createHmac('sha256', key).update(body).digest('hex'),
  ),
  plain(
    {
      name: 'plain_base64url',
      title: 'X-Signature in base64url',
      finding: 'It compares X-Signature as base64url.',
      fix: 'X-Signature is standard base64, with + and / and =.',
    },
    (body, key) => createHmac('sha256', key).update(body).digest('base64url'),
  ),
  rewritten(
    {
      name: 'body_spaced',
      title: 'Both signatures over the body written out with spaces',
      finding: 'It verifies the body after parsing it and writing it out with spaces, as Python does.',
      fix: rawFix,
    },
    (body) => body.replaceAll('":', '": ').replaceAll(',"', ', "'),
  ),
  rewritten(
    {
      name: 'body_sorted',
      title: 'Both signatures over the body written out in alphabetical order',
      finding: 'It verifies the body after parsing it and writing it out with its fields sorted, as Go does.',
      fix: rawFix,
    },
    (body) => {
      const fields = Object.entries(JSON.parse(body) as Literals);
      return JSON.stringify(Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1))));
    },
  ),
  plain(
    {
      name: 'plain_endpoint_secret',
      title: "X-Signature keyed with the endpoint's secret",
      finding: "It verifies X-Signature with the endpoint's secret.",
      fix: 'X-Signature is keyed with the secret key (sk_..., the whole text); whsec_ secrets are for webhook-signature.',
    },
    (body, _, { signing }) => bodySignature(body, Buffer.from(signing.endpointSecrets[0] ?? '')),
    'endpointSecret',
  ),
  standard(
    {
      name: 'standard_whole_text',
      title: 'webhook-signature keyed with the text of the secret',
      finding: 'It keys webhook-signature with the text of the secret, its prefix included.',
      fix: decodeFix,
    },
    (_, secret) => Buffer.from(secret),
  ),
  standard(
    {
      name: 'standard_undecoded',
      title: 'webhook-signature keyed with the undecoded base64',
      finding: 'It keys webhook-signature with the base64 text of the secret.',
      fix: decodeFix,
    },
    (_, secret) => Buffer.from(secret.slice('whsec_'.length)),
  ),
  standard(
    {
      name: 'standard_secret_key',
      title: 'webhook-signature keyed with the secret key',
      finding: 'It verifies webhook-signature with the secret key.',
      fix: "webhook-signature is keyed with the endpoint's own secret (whsec_...); sk_ keys are for X-Signature.",
    },
    ({ signing }) => Buffer.from(signing.secretKey ?? ''),
    'secretKey',
  ),
  standard(
    {
      name: 'standard_body_alone',
      title: 'webhook-signature over the body alone',
      finding: 'It verifies webhook-signature over the body alone.',
      fix: 'What is signed is webhook-id, a dot, webhook-timestamp, a dot, and the raw body.',
    },
    (_, secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'),
    'endpointSecret',
    false,
  ),
];

/** An endpoint's secret that is not to be used here, and whose it is, as part of a sentence. */
export type OtherSecret = { secret: string; whose: string };

/** For receivers that hold a secret of the same merchant's which is not the right one. */
export function otherSecretProbes(others: readonly OtherSecret[]): Probe[] {
  return others.map(({ secret, whose }, index) =>
    standard(
      {
        name: `standard_other_${index + 1}`,
        title: `webhook-signature keyed with ${whose}`,
        finding: `It holds ${whose}.`,
        fix: 'Give it the whsec_ secret of this endpoint: each endpoint has its own, and rolling makes a new one.',
      },
      () => endpointKey(secret),
    ),
  );
}

export function isProbe(one: Case): one is Probe {
  return 'finding' in one;
}

function probe({ name, title, finding, fix }: Draft): Omit<Probe, 'change'> {
  return {
    name,
    finding,
    fix,
    title: `A usual mistake: ${title}`,
    expect: 'refused',
    why: '400: its signature is wrong',
    event: completed(name.toUpperCase()),
  };
}

function plain(
  draft: Draft,
  sign: (body: Buffer, key: string, context: CaseContext) => string,
  needs: Case['needs'] = 'secretKey',
): Probe {
  return {
    ...probe(draft),
    needs,
    change: (message, context) =>
      withHeaders(message, { 'X-Signature': sign(message.body, context.signing.secretKey ?? '', context) }),
  };
}

function rewritten(draft: Draft, rewrite: (body: string) => string): Probe {
  return {
    ...probe(draft),
    change(message, { event, signing, at }) {
      const body = Buffer.from(rewrite(message.body.toString()));
      return withHeaders(message, signaturesOf(event.id, body, signing, at));
    },
  };
}

function standard(
  draft: Draft,
  keyOf: (context: CaseContext, secret: string) => Buffer,
  needs: Case['needs'] = 'endpointSecret',
  withHead = true,
): Probe {
  return {
    ...probe(draft),
    needs,
    change(message, context) {
      const { event, signing, at } = context;
      const timestamp = `${Math.floor(at.getTime() / 1000)}`;
      const hmac = createHmac('sha256', keyOf(context, signing.endpointSecrets[0] ?? ''));
      if (withHead) hmac.update(`${event.id}.${timestamp}.`);
      return withHeaders(message, {
        'webhook-signature': `v1,${hmac.update(message.body).digest('base64')}`,
      });
    },
  };
}
