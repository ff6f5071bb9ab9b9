import type { Tx } from '../kit/db/db.ts';

/**
 * Where the payments of one asset settle without passing the gateway, from a time on; until then `before` holds, null: the
 * gateway receives them. `by`: whose account set it, as its address of mail.
 */
export type OwnAddress = {
  address: string;
  mode: 'test' | 'live';
  currency: string;
  from: string;
  by: string;
  before: string | null;
};

/** Those of an integration, by asset code. */
export type OwnAddressSettings = Readonly<Record<string, OwnAddress>>;

/** The address of an asset that holds at a time; null: the gateway receives its payments. */
export const inForce = ({ from, address, before }: OwnAddress, at: Date): string | null =>
  new Date(from) <= at ? address : before;

/** The addresses that hold at a time, by asset code. */
export function addressesInForce(own: OwnAddressSettings, at: Date): Record<string, string> {
  const held = Object.entries(own).flatMap(([asset, each]) => {
    const address = inForce(each, at);
    return address === null ? [] : [[asset, address] as const];
  });
  return Object.fromEntries(held);
}

/** Whether payments of a currency may settle directly at a time: on one of its networks, or of `among`, an own address holds. */
export const isDirectIn = (
  own: OwnAddressSettings,
  {
    mode,
    currency,
    among,
  }: Pick<OwnAddress, 'mode' | 'currency'> & { among?: readonly string[] | undefined },
  at: Date,
): boolean =>
  Object.entries(own).some(
    ([asset, each]) =>
      each.mode === mode &&
      each.currency === currency &&
      (among?.includes(asset) ?? true) &&
      inForce(each, at) !== null,
  );

/** SQL for whether the integration `i` has set an own address for live payments, also one that rests. */
export const hasOwnAddressSql = `EXISTS (SELECT FROM jsonb_each(i.own_addresses) o WHERE o.value->>'mode' = 'live')`;

/** Locks an integration's settings and returns those of own addresses. */
export async function lockOwnAddresses(tx: Tx, integrationId: string): Promise<OwnAddressSettings> {
  const { rows } = await tx.query<{ own_addresses: OwnAddressSettings }>(
    'SELECT own_addresses FROM integrations WHERE id = $1 FOR NO KEY UPDATE',
    [integrationId],
  );
  return rows[0]?.own_addresses ?? {};
}

/** Sets the address of an asset. False: another integration has, or had, this address; nothing is written. */
export async function setOwnAddress(
  tx: Tx,
  { integrationId, asset, own }: { integrationId: string; asset: string; own: OwnAddress },
  now: Date,
): Promise<boolean> {
  const { rows } = await tx.query<{ integration_id: string }>(
    `WITH made AS (
       INSERT INTO own_address_holders (address, integration_id, created_at) VALUES (lower($1), $2, $3)
       ON CONFLICT (address) DO UPDATE SET address = excluded.address
       RETURNING integration_id
     )
     SELECT integration_id FROM made`,
    [own.address, integrationId, now],
  );
  if (rows[0]?.integration_id !== integrationId) return false;
  await tx.query(
    `UPDATE integrations SET own_addresses = own_addresses || jsonb_build_object($2::text, $3::jsonb) WHERE id = $1`,
    [integrationId, asset, JSON.stringify(own)],
  );
  return true;
}

/** Removes the address of an asset, or puts back the one that holds until a new one does. */
export async function removeOwnAddress(
  tx: Tx,
  { integrationId, asset, own }: { integrationId: string; asset: string; own: OwnAddress | null },
): Promise<void> {
  await tx.query(
    `UPDATE integrations SET own_addresses = own_addresses - $2 || CASE WHEN $3::jsonb IS NULL THEN '{}'
       ELSE jsonb_build_object($2::text, $3::jsonb) END
     WHERE id = $1`,
    [integrationId, asset, own === null ? null : JSON.stringify(own)],
  );
}
