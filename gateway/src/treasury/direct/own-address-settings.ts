import type { Integration } from '../../identity/integration.ts';
import { assertPointsAlone } from '../../identity/integrations/fees.ts';
import {
  inForce,
  lockOwnAddresses,
  type OwnAddress,
  removeOwnAddress,
  setOwnAddress,
} from '../../identity/own-addresses.ts';
import { after } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import { checksummed, readAddress } from '../../rails/evm/addresses/forwarders.ts';
import type { ChainConfig } from '../../rails/evm/config/chains.ts';
import type { SignedByContract } from '../../rails/evm/signatures/signed-by-contract.ts';
import { directErrors } from './errors.ts';

/** A change rests for a day, so that somebody can stop it. In test mode it holds at once. */
const restSeconds = 24 * 3600;

export type DirectAsset = { asset: Asset; host: string; chain: ChainConfig };

/** The assets that may settle directly: of chains with an address for the host's part. */
export const directAssets = (chains: readonly ChainConfig[], assets: Assets): DirectAsset[] =>
  chains.flatMap((chain) =>
    chain.feeAddress === undefined
      ? []
      : chain.tokens.map(({ asset }) => ({
          ...{ asset: assets.get(asset), chain },
          host: checksummed(chain.feeAddress ?? '0x'),
        })),
  );

/** What an address signs, so that nobody sets one that is not theirs. */
export function ownAddressStatement(of: {
  installation: string;
  integration: Pick<Integration, 'id' | 'name'>;
  asset: string;
  address: string;
}): string {
  return [
    'Settle payments to the address below.',
    '',
    `Installation: ${of.installation}`,
    `Integration: ${of.integration.name} (${of.integration.id})`,
    `Asset: ${of.asset}`,
    `Address: ${of.address}`,
  ].join('\n');
}

/**
 * Whether an address signed a text: by its key (EIP-191), or as a wallet contract (EIP-1271). Throws `not_signed`, and
 * `signature_unread` where the contract cannot be asked now. It may call endpoints, and belongs in no transaction.
 */
export async function assertSigned(
  signedByContract: SignedByContract,
  { asset, address, statement }: { asset: string; address: string; statement: string },
  signature: string,
): Promise<void> {
  // The curve's code is loaded by the first signature.
  const { signedBy } = await import('../../rails/evm/addresses/signed-by.ts');
  if (signedBy(statement, signature) === readAddress(address)) return;
  const said = await signedByContract(asset, address, statement, signature);
  if (said === null) throw refuse(directErrors.signature_unread);
  if (!said) throw refuse(directErrors.not_signed);
}

type Setting = { integration: Integration; asset: Asset; mode: OwnAddress['mode']; by: string };

/**
 * Sets the address to which an integration's payments in an asset settle, from a day after on in live mode. The caller has
 * seen its proof. Throws `field_invalid` where the fee is more than basis points, and `own_address_taken`.
 */
export async function putOwnAddress(
  tx: Tx,
  { integration: { id: integrationId, fee }, asset, mode, by }: Setting,
  address: string,
  now: Date,
): Promise<{ before: string | null; set: OwnAddress }> {
  const known = (await lockOwnAddresses(tx, integrationId))[asset.code];
  assertPointsAlone(fee);
  const before = known ? inForce(known, now) : null;
  const from = mode === 'live' ? after(now, restSeconds) : now;
  const { code, currency } = asset;
  const set = { address, mode, currency, from: from.toISOString(), by, before };
  if (!(await setOwnAddress(tx, { integrationId, asset: code, own: set }, now)))
    throw refuse(directErrors.own_address_taken);
  return { before, set };
}

/**
 * Ends an address, or a change that rests: then the address before goes on. Payments that were made keep theirs. It holds at
 * once, since the key of an address may be lost. Throws `not_found`.
 */
export async function endOwnAddress(
  tx: Tx,
  { id: integrationId }: Pick<Integration, 'id'>,
  asset: string,
  now: Date,
): Promise<OwnAddress> {
  const known = (await lockOwnAddresses(tx, integrationId))[asset];
  if (!known) throw refuse(kitErrors.not_found);
  const rests = new Date(known.from) > now;
  const kept = rests && known.before !== null ? { ...known, address: known.before, before: null } : null;
  const own = kept && { ...kept, from: now.toISOString() };
  await removeOwnAddress(tx, { integrationId, asset, own });
  return known;
}
