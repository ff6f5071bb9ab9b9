import { createSecretKey, type KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Mode } from '../../identity/integration.ts';
import { type KeyOwner, openKey, ownerName, type SealedKey, signingKeys } from '../../identity/keys/keys.ts';
import type { Reader } from '../../kit/db/db.ts';
import { anyLength, plainArray } from '../../kit/db/sql-arrays.ts';
import type { Reach } from '../../kit/net/safe-fetch.ts';
import { endpointKey } from '../../kit/net/standard-webhooks.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Chaos } from '../answers/chaos-answers.ts';
import { type CustomHeader, openHeaders } from '../endpoints/headers.ts';
import type { Channel } from '../endpoints/notice-endpoints.ts';
import { type ReachTerms, reachOf } from '../endpoints/reach.ts';
import { formerSecretSql, openFormer, openSigning, signingSecretsSql } from '../endpoints/secrets.ts';
import { type Sign, signerOf } from '../endpoints/sign.ts';
import type { WebhookFormat } from '../events/event-types.ts';
import type { HeldEndpoint } from './leases.ts';

/** All that sending to one endpoint needs besides the event. */
export type Target = {
  /** A merchant's receiver, or what tells a person. */
  channel: Channel;
  url: URL;
  /** As which API's webhooks it is sent. */
  format: WebhookFormat;
  /** Whether what failed is tried again by itself. */
  retries: boolean;
  /** The endpoint's newest secret as it is written, which signs the webhooks of the BTCPay door. */
  secret: KeyObject;
  reach: Reach;
  /** Signs with the integration's signing key and the endpoint's own secrets; null when there is no signing key. */
  sign: Sign | null;
  /** Which faults are injected; null: none, as always in live mode. */
  chaos: Chaos | null;
  /** The secret before the newest one, where chaos may sign with it. */
  formerKey: KeyObject | null;
  /** The merchant's own. */
  headers: CustomHeader[];
  /** Its last attempt failed. */
  failing: boolean;
  deleted: boolean;
  /** It has taken a real payment's event. */
  verified: boolean;
};

type EndpointRow = {
  id: string;
  channel: Channel;
  url: string;
  format: WebhookFormat;
  retries: boolean;
  /** Sealed, the newest first. */
  secrets: Buffer[];
  chaos: Chaos | null;
  former_secret: Buffer | null;
  /** The merchant's own headers, sealed; null: none. */
  headers: Buffer | null;
  failing: boolean;
  deleted: boolean;
  verified: boolean;
  mode: Mode;
  allow_private_webhooks: boolean;
};

// Only endpoints that this worker still holds: it must not send what it read of others. The deliveries of a paused
// endpoint wait; those of a deleted one are to be ended as failed.
const endpointsSql = `
  SELECT w.id, w.mode, w.channel, w.url, w.format, w.retries, ${signingSecretsSql} AS secrets, CASE WHEN w.mode = 'test' THEN w.chaos END AS chaos,
    ${formerSecretSql} AS former_secret, w.headers, w.failing_since IS NOT NULL AS failing, w.deleted_at IS NOT NULL AS deleted,
    w.verified_at IS NOT NULL AS verified, i.allow_private_webhooks
  FROM unnest(${anyLength('$1', 'uuid')}) AS t (id)
  JOIN webhook_leases l ON l.endpoint_id = t.id AND l.worker = $2
  JOIN webhook_endpoints w ON w.id = t.id AND (w.status = 'active' OR w.deleted_at IS NOT NULL)
  JOIN integrations i ON i.id = w.integration_id`;

type Known = { row: EndpointRow; signing: SealedKey | undefined; target: Target };

/** Finds the targets of endpoints. Keeps the last target of each until its row changes. */
export type Targets = {
  /** The target of each endpoint that `worker` holds and that may be sent to. */
  find(endpoints: readonly HeldEndpoint[], worker: string): Promise<Map<string, Target>>;
  /** Forgets the keys of endpoints that are held no more. */
  forget(endpoints: readonly string[]): void;
};

type TargetDeps = ReachTerms & { db: Reader; seal: Seal };

/**
 * Reads the rows at each use, since an address or a secret may change at any time. Keys are opened again only when
 * their row has changed.
 */
export function createTargets(deps: TargetDeps): Targets {
  const { db, seal } = deps;
  const known = new Map<string, Known>();

  function targetOf(row: EndpointRow, signing: SealedKey | undefined): Target {
    const last = known.get(row.id);
    if (last && isDeepStrictEqual(last.signing, signing) && isDeepStrictEqual(last.row, row))
      return last.target;
    const keyOf = (secret: string) => createSecretKey(endpointKey(secret));
    const secret = signing && openKey(seal, signing);
    const own = openSigning(seal, row.secrets);
    const target: Target = {
      channel: row.channel,
      url: new URL(row.url),
      ...{ format: row.format, retries: row.retries },
      secret: createSecretKey(own[0] ?? '', 'utf8'),
      reach: reachOf(deps, {
        integration: { allowPrivateWebhooks: row.allow_private_webhooks },
        mode: row.mode,
      }),
      sign:
        secret === undefined || row.format !== 'florin'
          ? null
          : signerOf(createSecretKey(secret, 'utf8'), own.map(keyOf)),
      chaos: row.chaos,
      formerKey: row.former_secret && keyOf(openFormer(seal, row.former_secret)),
      headers: openHeaders(seal, row.id, row.headers),
      failing: row.failing,
      deleted: row.deleted,
      verified: row.verified,
    };
    known.set(row.id, { row, signing, target });
    return target;
  }

  return {
    async find(endpoints, worker) {
      const owners = new Map(endpoints.map((held) => [held.endpoint_id, ownerOf(held)]));
      const distinct = new Map([...owners.values()].map((owner) => [ownerName(owner), owner]));
      const values = [plainArray([...owners.keys()]), worker];
      const [{ rows }, keys] = await Promise.all([
        db.query<EndpointRow>({ name: 'held-endpoints', text: endpointsSql, values }),
        signingKeys(db, [...distinct.values()]),
      ]);
      const found = new Map<string, Target>();
      for (const row of rows) {
        const owner = owners.get(row.id);
        if (owner) found.set(row.id, targetOf(row, keys.get(ownerName(owner))));
      }
      return found;
    },
    forget(endpoints) {
      for (const endpoint of endpoints) known.delete(endpoint);
    },
  };
}

function ownerOf({ integration_id: integrationId, mode }: HeldEndpoint): KeyOwner {
  return { integrationId, mode };
}
