import { createSecretKey, type KeyObject } from 'node:crypto';
import { signingSecret } from '../identity/keys.ts';
import type { Reader } from '../kit/db.ts';
import type { Reach } from '../kit/safe-fetch.ts';
import type { Seal } from '../kit/seal.ts';
import type { ClaimedDelivery } from './claim.ts';
import { reachOf } from './reach.ts';
import { endpointKey } from './sign.ts';

/** All that sending to one endpoint needs besides the event. */
export type Target = {
  url: URL;
  reach: Reach;
  /** The integration's signing key; null when it has none. */
  signingKey: KeyObject | null;
  /** The endpoint's own secrets: two while one is being rolled. */
  endpointKeys: KeyObject[];
};

/** The target of every endpoint among the deliveries: keys are opened once for each, and kept no longer. */
export async function targetsOf(
  { db, seal, allowPrivate }: { db: Reader; seal: Seal; allowPrivate: boolean },
  deliveries: readonly ClaimedDelivery[],
): Promise<Map<string, Target>> {
  const owners = new Map(deliveries.map((delivery) => [ownerOf(delivery), delivery]));
  const signingKeys = new Map<string, KeyObject | null>();
  await Promise.all(
    [...owners].map(async ([owner, { integration_id, mode }]) => {
      const secret = await signingSecret(db, seal, integration_id, mode);
      signingKeys.set(owner, secret === null ? null : createSecretKey(secret, 'utf8'));
    }),
  );
  const targets = new Map<string, Target>();
  for (const delivery of deliveries) {
    if (targets.has(delivery.endpoint_id)) continue;
    const secrets = [delivery.secret, delivery.old_secret].filter((sealed) => sealed !== null);
    targets.set(delivery.endpoint_id, {
      url: new URL(delivery.url),
      reach: reachOf(allowPrivate, { allowPrivateWebhooks: delivery.allow_private_webhooks }),
      signingKey: signingKeys.get(ownerOf(delivery)) ?? null,
      endpointKeys: secrets.map((sealed) => createSecretKey(endpointKey(seal.open(sealed)))),
    });
  }
  return targets;
}

function ownerOf({ integration_id, mode }: ClaimedDelivery): string {
  return `${integration_id} ${mode}`;
}
