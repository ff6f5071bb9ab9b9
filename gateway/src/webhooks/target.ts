import { createSecretKey, type KeyObject } from 'node:crypto';
import { type KeyOwner, ownerName, signingSecrets } from '../identity/keys.ts';
import type { Reader } from '../kit/db.ts';
import type { Reach } from '../kit/safe-fetch.ts';
import type { Seal } from '../kit/seal.ts';
import type { ClaimedDelivery } from './claim.ts';
import { type CustomHeader, openHeaders } from './headers.ts';
import { reachOf } from './reach.ts';
import { endpointKey } from './sign.ts';

/** All that sending to one endpoint needs besides the event. */
export type Target = {
  url: URL;
  reach: Reach;
  /** The integration's signing key; null when it has none. */
  signingKey: KeyObject | null;
  /** The endpoint's own secrets, the newest first: several while they are being rolled. */
  endpointKeys: KeyObject[];
  /** The secret before them, where chaos may want it. */
  formerKey: KeyObject | null;
  /** The merchant's own. */
  headers: CustomHeader[];
};

/** The target of every endpoint among the deliveries: keys are opened once for each, and kept no longer. */
export async function targetsOf(
  { db, seal, allowPrivate }: { db: Reader; seal: Seal; allowPrivate: boolean },
  deliveries: readonly ClaimedDelivery[],
): Promise<Map<string, Target>> {
  const owners = new Map(deliveries.map((delivery) => [ownerName(ownerOf(delivery)), ownerOf(delivery)]));
  const secrets = await signingSecrets(db, seal, [...owners.values()]);
  const signingKeys = new Map(
    [...secrets].map(([owner, secret]) => [owner, createSecretKey(secret, 'utf8')] as const),
  );
  const targets = new Map<string, Target>();
  for (const delivery of deliveries) {
    if (targets.has(delivery.endpoint_id)) continue;
    const keyOf = (sealed: Buffer) => createSecretKey(endpointKey(seal.open(sealed)));
    targets.set(delivery.endpoint_id, {
      url: new URL(delivery.url),
      reach: reachOf(allowPrivate, { allowPrivateWebhooks: delivery.allow_private_webhooks }),
      signingKey: signingKeys.get(ownerName(ownerOf(delivery))) ?? null,
      endpointKeys: delivery.secrets.map(keyOf),
      formerKey: delivery.former_secret && keyOf(delivery.former_secret),
      headers: openHeaders(seal, delivery.headers),
    });
  }
  return targets;
}

function ownerOf({ integration_id: integrationId, mode }: ClaimedDelivery): KeyOwner {
  return { integrationId, mode };
}
