import { type AssetName, decimalOf, native } from './amounts.ts';
import type { Party } from './envelope.ts';
import type { Effect } from './ledger.ts';

/** The fields by which Horizon names an asset; `prefix` as in `source_asset_type`. */
export function assetFields(asset: AssetName, prefix = ''): Record<string, string> {
  if (asset === native) return { [`${prefix}asset_type`]: 'native' };
  const [code, issuer] = asset.split(':') as [string, string];
  return {
    [`${prefix}asset_type`]: code.length <= 4 ? 'credit_alphanum4' : 'credit_alphanum12',
    [`${prefix}asset_code`]: code,
    [`${prefix}asset_issuer`]: issuer,
  };
}

export const created = (party: Party, units: bigint): Effect => ({
  party,
  type: 'account_created',
  typeI: 0,
  fields: { starting_balance: decimalOf(units) },
});

export const removed = (party: Party): Effect => ({ party, type: 'account_removed', typeI: 1, fields: {} });

export const credited = (party: Party, asset: AssetName, units: bigint): Effect => ({
  party,
  type: 'account_credited',
  typeI: 2,
  fields: { ...assetFields(asset), amount: decimalOf(units) },
});

export const debited = (party: Party, asset: AssetName, units: bigint): Effect => ({
  party,
  type: 'account_debited',
  typeI: 3,
  fields: { ...assetFields(asset), amount: decimalOf(units) },
});

export const signerCreated = (party: Party): Effect => ({
  party,
  type: 'signer_created',
  typeI: 10,
  fields: { weight: 1, public_key: party.account, key: '' },
});

export const trustChanged = (
  party: Party,
  change: 'created' | 'removed' | 'updated',
  asset: AssetName,
  limit: bigint,
): Effect => ({
  party,
  type: `trustline_${change}`,
  typeI: { created: 20, removed: 21, updated: 22 }[change],
  fields: { ...assetFields(asset), limit: decimalOf(limit) },
});

export const dataChanged = (
  party: Party,
  change: 'created' | 'removed' | 'updated',
  name: string,
  value: string | null,
): Effect => ({
  party,
  type: `data_${change}`,
  typeI: { created: 40, removed: 41, updated: 42 }[change],
  fields: { name, ...(value !== null && { value }) },
});

/** One side of a trade with an account that offered to: what the party gave for what. */
export const traded = (
  party: Party,
  seller: Party,
  sold: { asset: AssetName; units: bigint },
  bought: { asset: AssetName; units: bigint },
): Effect => ({
  party,
  type: 'trade',
  typeI: 33,
  fields: {
    seller: seller.account,
    offer_id: '1',
    sold_amount: decimalOf(sold.units),
    ...assetFields(sold.asset, 'sold_'),
    bought_amount: decimalOf(bought.units),
    ...assetFields(bought.asset, 'bought_'),
  },
});

export const sequenceBumped = (party: Party, sequence: bigint): Effect => ({
  party,
  type: 'sequence_bumped',
  typeI: 43,
  fields: { new_seq: sequence.toString() },
});
