import type { FastifyInstance } from 'fastify';
import type { Guards } from '../../identity/keys/guards.ts';
import { after, type Clock } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { addressKind, isLoopbackHost } from '../../kit/net/addresses.ts';
import type { AddressSeen } from './answers.ts';
import { checkHash, checkSecret } from './check-secret.ts';

/** What the gateway saw of a call through the public address. */
export type Seen = {
  scheme: string;
  host: string;
  /** The client as the gateway counts it, and the other end of the connection. */
  client: string;
  peer: string;
  forwardedFor: boolean;
};

const goodSeconds = 120;
/** Where a browser calls the public address; what follows is good once. */
export const seenPath = '/console/auth/setup/seen/';

/** Makes a check; returns what the browser calls. */
export async function openAddressCheck(
  tx: Tx,
  { by, baseUrl, now }: { by: string; baseUrl: string; now: Date },
): Promise<{ id: string; url: string }> {
  const [id, secret] = [newId(now), checkSecret()];
  await tx.query(`DELETE FROM setup_checks WHERE made_by = $1 AND step = 'address'`, [by]);
  await tx.query(
    `INSERT INTO setup_checks (id, step, secret_hash, made_by, expires_at) VALUES ($1, 'address', $2, $3, $4)`,
    [id, checkHash(secret), by, after(now, goodSeconds)],
  );
  return { id, url: `${baseUrl}${seenPath}${secret}` };
}

/** The call through the public address. It says nothing, whether its check is known or not. */
export function seenRoute(
  app: FastifyInstance,
  { db, guards, now }: { db: Reader; guards: Guards; now: Clock },
): void {
  app.get<{ Params: { secret: string } }>(
    `${seenPath}:secret`,
    { onRequest: guards.anyone, schema: { hide: true } },
    async (request, reply) => {
      const seen: Seen = {
        scheme: request.protocol,
        host: request.host,
        client: request.ip,
        peer: request.socket.remoteAddress ?? '',
        forwardedFor: request.headers['x-forwarded-for'] !== undefined,
      };
      await db.query(
        `UPDATE setup_checks SET seen = $2
         WHERE secret_hash = $1 AND step = 'address' AND seen IS NULL AND expires_at > $3`,
        [checkHash(request.params.secret), seen, now()],
      );
      return reply.header('cache-control', 'no-store').code(204).send();
    },
  );
}

/** What the gateway saw of a person's check; null: nothing. */
export async function readSeen(reader: Reader, { id, by }: { id: string; by: string }): Promise<Seen | null> {
  const { rows } = await reader.query<{ seen: Seen | null }>(
    `SELECT seen FROM setup_checks WHERE id = $1 AND made_by = $2 AND step = 'address'`,
    [id, by],
  );
  return rows[0]?.seen ?? null;
}

type Address = { baseUrl: string; trustProxy: boolean };

/** What is wrong with the public address, by what was seen, and the setting that mends it. */
export function judgeAddress(seen: Seen | null, { baseUrl, trustProxy }: Address): AddressSeen {
  const { protocol, host, hostname } = new URL(baseUrl);
  const faults: AddressSeen['faults'] = [];
  if (!seen) {
    return { scheme: null, host: null, client: null, faults: [{ code: 'unseen', setting: 'BASE_URL' }] };
  }
  if (seen.host !== host) faults.push({ code: 'host', setting: 'BASE_URL' });
  const isHere = isLoopbackHost(hostname);
  if (protocol !== 'https:' && !isHere) faults.push({ code: 'plain', setting: 'BASE_URL' });
  // Behind a proxy that ends TLS the gateway sees http until it trusts the proxy.
  const isProxied = seen.forwardedFor && !trustProxy;
  if (isProxied) faults.push({ code: 'proxy_untrusted', setting: 'TRUST_PROXY' });
  else if (`${seen.scheme}:` !== protocol) faults.push({ code: 'scheme', setting: 'BASE_URL' });
  if (trustProxy && !seen.forwardedFor) faults.push({ code: 'proxy_silent', setting: 'TRUST_PROXY' });
  const isNear = addressKind(seen.client) !== 'public';
  return { scheme: seen.scheme, host: seen.host, client: isNear && isHere ? null : seen.client, faults };
}
