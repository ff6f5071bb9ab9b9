import { createHmac } from 'node:crypto';
import type { Received } from './receiver.ts';

/** What a verifier says of a webhook by one signature, or by both together; undefined: it does not look at that one. */
export type Verdict = { plain?: boolean; standard?: boolean; both?: boolean };

/** A webhook as it came or was tampered with, the secrets that a receiver holds, and what is true of it. */
export type Case = {
  what: string;
  raw: Buffer;
  headers: Record<string, string>;
  secretKey: string;
  endpointSecret: string;
  /** By `X-Signature`, and by `webhook-signature` with its timestamp. */
  expected: { plain: boolean; standard: boolean };
};

export type Secrets = { secretKey: string; endpointSecret: string };

const names = ['x-signature', 'x-event-id', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

export function caseOf(
  what: string,
  { raw, headers }: Pick<Received, 'raw' | 'headers'>,
  secrets: Secrets,
  expected = { plain: true, standard: true },
): Case {
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  return { what, raw, headers: signed, ...secrets, expected };
}

const staleSeconds = 310;
// What is sent in the future comes nearer until it is judged, on a busy machine a minute later.
const earlySeconds = 3_600;

/** The same webhook as others might forge it, and as its receiver might get it wrong. */
export function forgeriesOf(genuine: Case, { secretKey, endpointSecret }: Secrets): Case[] {
  const { what, raw, headers } = genuine;
  const changed = (at: number): Buffer => {
    const bytes = Buffer.from(raw);
    bytes[at]! ^= 1;
    return bytes;
  };
  const resigned = (seconds: number) => {
    const sentAt = `${Math.floor(Date.now() / 1000) + seconds}`;
    const key = Buffer.from(genuine.endpointSecret.slice('whsec_'.length), 'base64');
    const head = `${headers['webhook-id']}.${sentAt}.`;
    const signature = createHmac('sha256', key).update(head).update(raw).digest('base64');
    return { ...headers, 'webhook-timestamp': sentAt, 'webhook-signature': `v1,${signature}` };
  };
  const neither = { plain: false, standard: false };
  const plainOnly = { plain: true, standard: false };
  const forged = (how: string, change: Partial<Case>): Case => ({
    ...genuine,
    ...change,
    what: `${what}, ${how}`,
  });
  return [
    ...[0, raw.length >> 1, raw.length - 1].map((at) =>
      forged(`byte ${at} changed`, { raw: changed(at), expected: neither }),
    ),
    forged('a byte more', { raw: Buffer.concat([raw, Buffer.from('\n')]), expected: neither }),
    forged('under secrets of somebody else', { secretKey, endpointSecret, expected: neither }),
    forged('sent long ago', { headers: resigned(-staleSeconds), expected: plainOnly }),
    forged('sent in the future', { headers: resigned(earlySeconds), expected: plainOnly }),
    forged('with the time of another sending', {
      headers: { ...headers, 'webhook-timestamp': `${Math.floor(Date.now() / 1000) + 1}` },
      expected: plainOnly,
    }),
    forged('as another event', { headers: { ...headers, 'webhook-id': 'another' }, expected: plainOnly }),
    forged('with empty signatures', {
      headers: { ...headers, 'x-signature': '', 'webhook-signature': 'v1,' },
      expected: neither,
    }),
  ];
}

/** What a verifier that looks at the same signatures should say. */
export function expectedOf({ what, expected }: Case, verdict: Verdict): Verdict {
  if (Object.keys(verdict).length === 0) throw new Error(`Nothing was said of ${what}`);
  return {
    ...(verdict.plain !== undefined && { plain: expected.plain }),
    ...(verdict.standard !== undefined && { standard: expected.standard }),
    ...(verdict.both !== undefined && { both: expected.plain && expected.standard }),
  };
}
