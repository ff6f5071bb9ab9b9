import type { OpenApi } from './document.ts';

/** A key as the gateway describes it in `GET /key`. */
export type OwnKey = {
  id: string;
  kind: 'signing' | 'restricted';
  name: string | null;
  mode: 'test' | 'live';
  actions: string[];
  daily_limits: { asset: string; limit: string; left: string }[] | null;
  asks_above: boolean;
  valid_until: string | null;
};

/** What the gateway answered: its envelope, and whether it is the answer of an earlier call with the same key. */
export type Answer = {
  status: number;
  isReplayed: boolean;
  envelope: { message?: string; error?: string; data?: unknown };
};

type Request = {
  method: string;
  path: string;
  body?: object | undefined;
  idempotencyKey?: string | undefined;
};

/** A gateway, asked with one key or with none. */
export type Gateway = (request: Request) => Promise<Answer>;

const timeoutMs = 60_000;

/** Calls a gateway with a key. Throws where it cannot be reached or another program answers. */
export function openGateway(url: string, secret: string | null): Gateway {
  return async ({ method, path, body, idempotencyKey }) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(secret !== null && { authorization: `Bearer ${secret}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new Error(`the gateway at ${url} cannot be reached; what was asked may have been done`, {
        cause,
      });
    });
    const envelope: unknown = await response.json().catch(() => null);
    if (typeof envelope !== 'object' || envelope === null)
      throw new Error(`another program than a gateway answers at ${url}`);
    const isReplayed = response.headers.get('idempotent-replayed') === 'true';
    return { status: response.status, isReplayed, envelope };
  };
}

/** The document of the gateway's calls. */
export async function readDocument(url: string): Promise<OpenApi> {
  const { envelope } = await openGateway(url, null)({ method: 'GET', path: '/openapi.json' });
  if (!('paths' in envelope)) throw new Error(`the gateway at ${url} has no OpenAPI document`);
  return envelope as unknown as OpenApi;
}

/** Why a key may not be used by an agent, for whoever has it. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

const howToMake =
  'Make a restricted key under Developers, API keys, with the rights that the agent needs, daily limits and an end.';

/** What the key may do. Throws `KeyRefused` for one that the gateway does not take, and for a signing key. */
export async function readKey(gateway: Gateway): Promise<OwnKey> {
  const { status, envelope } = await gateway({ method: 'GET', path: '/key' });
  if (status === 401) throw new KeyRefused(`the gateway does not take this key: ${whyUnknown}`);
  if (status !== 200) throw new KeyRefused(envelope.message ?? `the gateway answered ${status}`);
  const key = envelope.data as OwnKey;
  if (key.kind === 'signing')
    throw new KeyRefused(`this is a signing key, which may do too much for an agent. ${howToMake}`);
  return key;
}

export const whyUnknown = 'it has ended, was revoked, or is of another gateway';
