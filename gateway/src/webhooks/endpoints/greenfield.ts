import { createHmac } from 'node:crypto';
import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import type { HmacKey } from '../../kit/net/standard-webhooks.ts';
import type { Seal } from '../../kit/seal.ts';
import { reportChanged } from '../events/outbox.ts';
import type { EndpointId } from './endpoints.ts';
import { sealedSecrets } from './sign.ts';

/** `BTCPay-Sig`: the HMAC-SHA256 of the body under the endpoint's secret as it is written, in hex (contract.md#btcpay). */
export function greenfieldSignature(body: Buffer, secret: HmacKey): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Sets what only endpoints of the door have: whether they are tried again, and a secret that the shop chose. */
export async function setGreenfield(
  tx: Tx,
  { seal, hints }: { seal: Seal; hints: Hints },
  id: EndpointId,
  { retries, secret, now }: { retries: boolean; secret: string | null; now: Date },
): Promise<void> {
  await tx.query(
    'UPDATE webhook_endpoints SET retries = $2, secret = coalesce($3, secret), updated_at = $4 WHERE id = $1',
    [id, retries, secret && seal.seal(secret, sealedSecrets.at(id)), now],
  );
  reportChanged(tx, hints, id);
}
