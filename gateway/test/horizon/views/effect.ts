import type { Effect, LedgerOperation } from '../core/ledger.ts';
import type { Json, Links } from './links.ts';
import { timeOf } from './time.ts';

/** The effects of an operation: numbered from 1. */
export function effectJson(operation: LedgerOperation, number: number, effect: Effect, links: Links): Json {
  const token = operation.token.toString();
  const { party, type, typeI, fields } = effect;
  return {
    _links: links({
      operation: `/operations/${token}`,
      succeeds: `/effects?order=desc&cursor=${token}-${number}`,
      precedes: `/effects?order=asc&cursor=${token}-${number}`,
    }),
    id: `${token.padStart(19, '0')}-${number.toString().padStart(10, '0')}`,
    paging_token: `${token}-${number}`,
    account: party.account,
    ...(party.muxed && { account_muxed: party.muxed, account_muxed_id: party.muxedId }),
    type,
    type_i: typeI,
    created_at: timeOf(operation.transaction.ledger.closedAt),
    ...fields,
  };
}
