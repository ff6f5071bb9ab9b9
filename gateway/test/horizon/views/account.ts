import { type Account, subentriesOf } from '../core/accounts.ts';
import { decimalOf } from '../core/amounts.ts';
import { assetFields } from '../core/effects.ts';
import type { Ledger } from '../core/ledger.ts';
import { type Json, type Links, pageTemplate } from './links.ts';
import { timeOf } from './time.ts';

const lists = ['transactions', 'operations', 'payments', 'effects', 'offers', 'trades'];

/** An account; without `_links.data` the library's submitTransaction would fail. */
export function accountJson(account: Account, ledgers: readonly Ledger[], links: Links): Json {
  const { id } = account;
  const timeIn = (ledger: number) => timeOf(ledgers[ledger - 1]!.closedAt);
  return {
    _links: links({
      self: `/accounts/${id}`,
      ...Object.fromEntries(lists.map((list) => [list, `/accounts/${id}/${list}${pageTemplate}`])),
      data: `/accounts/${id}/data/{key}`,
    }),
    id,
    account_id: id,
    sequence: account.sequence.toString(),
    ...(account.sequenceIn !== null && {
      sequence_ledger: account.sequenceIn,
      sequence_time: (ledgers[account.sequenceIn - 1]!.closedAt.getTime() / 1000).toString(),
    }),
    subentry_count: subentriesOf(account),
    last_modified_ledger: account.changedIn,
    last_modified_time: timeIn(account.changedIn),
    thresholds: { low_threshold: 0, med_threshold: 0, high_threshold: 0 },
    flags: {
      auth_required: false,
      auth_revocable: false,
      auth_immutable: false,
      auth_clawback_enabled: false,
    },
    balances: balancesOf(account),
    signers: [{ weight: 1, key: id, type: 'ed25519_public_key' }],
    data: account.data,
    num_sponsoring: 0,
    num_sponsored: 0,
    paging_token: id,
  };
}

/** Issued assets first, the network's own coin last. */
function balancesOf(account: Account): Json[] {
  const liabilities = { buying_liabilities: '0.0000000', selling_liabilities: '0.0000000' };
  const issued = Object.entries(account.trust).map(([asset, { units, limit }]) => ({
    balance: decimalOf(units),
    limit: decimalOf(limit),
    ...liabilities,
    last_modified_ledger: account.changedIn,
    is_authorized: true,
    is_authorized_to_maintain_liabilities: true,
    is_clawback_enabled: false,
    ...assetFields(asset),
  }));
  return [...issued, { balance: decimalOf(account.units), ...liabilities, asset_type: 'native' }];
}
