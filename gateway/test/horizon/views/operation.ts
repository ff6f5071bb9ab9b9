import type { OperationRecord } from '@stellar/stellar-sdk';
import { decimalOf, nameOf, unitsOf } from '../core/amounts.ts';
import { assetFields } from '../core/effects.ts';
import { type Party, partyOf } from '../core/envelope.ts';
import type { LedgerOperation } from '../core/ledger.ts';
import { operationKinds } from '../core/results.ts';
import type { Json, Links } from './links.ts';
import { partyFields } from './parties.ts';
import { timeOf } from './time.ts';
import { transactionJson } from './transaction.ts';

/** An operation as Horizon's lists have it; with `join`, its transaction too. */
export function operationJson(operation: LedgerOperation, links: Links, join: boolean): Json {
  const { token, transaction, record, source } = operation;
  const id = token.toString();
  const kind = operationKinds[record.type]!;
  return {
    _links: links({
      self: `/operations/${id}`,
      transaction: `/transactions/${transaction.envelope.hash}`,
      effects: `/operations/${id}/effects`,
      succeeds: `/effects?order=desc&cursor=${id}`,
      precedes: `/effects?order=asc&cursor=${id}`,
    }),
    id,
    paging_token: id,
    transaction_successful: transaction.successful,
    ...partyFields('source_account', source),
    type: kind.name,
    type_i: kind.type,
    created_at: timeOf(transaction.ledger.closedAt),
    transaction_hash: transaction.envelope.hash,
    ...(join && { transaction: transactionJson(transaction, links) }),
    ...detailsOf(record, source, operation.amounts),
  };
}

function detailsOf(record: OperationRecord, source: Party, amounts: LedgerOperation['amounts']): Json {
  switch (record.type) {
    case 'payment':
      return {
        ...assetFields(nameOf(record.asset)),
        ...partyFields('from', source),
        ...partyFields('to', partyOf(record.destination)),
        amount: record.amount,
      };
    case 'createAccount':
      return {
        starting_balance: record.startingBalance,
        ...partyFields('funder', source),
        account: record.destination,
      };
    case 'accountMerge':
      return { ...partyFields('account', source), ...partyFields('into', partyOf(record.destination)) };
    case 'pathPaymentStrictReceive':
    case 'pathPaymentStrictSend':
      return pathDetails(record, source, amounts);
    case 'changeTrust':
      return 'code' in record.line
        ? {
            ...assetFields(nameOf(record.line)),
            limit: record.limit,
            trustee: record.line.issuer,
            ...partyFields('trustor', source),
          }
        : {};
    case 'manageData':
      return { name: record.name, value: Buffer.from(record.value ?? '').toString('base64') };
    case 'bumpSequence':
      return { bump_to: record.bumpTo };
    default:
      return {};
  }
}

type PathPayment = Extract<OperationRecord, { type: 'pathPaymentStrictReceive' | 'pathPaymentStrictSend' }>;

// What was not decided by the sender is known only once it was applied.
function pathDetails(record: PathPayment, source: Party, amounts: LedgerOperation['amounts']): Json {
  const isReceive = record.type === 'pathPaymentStrictReceive';
  const delivered = isReceive ? unitsOf(record.destAmount) : (amounts?.delivered ?? 0n);
  const sent = isReceive ? (amounts?.sent ?? 0n) : unitsOf(record.sendAmount);
  return {
    ...assetFields(nameOf(record.destAsset)),
    ...partyFields('from', source),
    ...partyFields('to', partyOf(record.destination)),
    amount: decimalOf(delivered),
    path: record.path.map((asset) => assetFields(nameOf(asset))),
    source_amount: decimalOf(sent),
    ...(isReceive ? { source_max: record.sendMax } : { destination_min: record.destMin }),
    ...assetFields(nameOf(record.sendAsset), 'source_'),
  };
}
