import type { Memo } from '@stellar/stellar-sdk';
import type { LedgerTransaction } from '../core/ledger.ts';
import { type Json, type Links, pageTemplate } from './links.ts';
import { partyFields } from './parties.ts';
import { timeOf } from './time.ts';

// Metadata without any change in it: nothing that reads payments reads it.
const noMeta = Buffer.alloc(8).toString('base64');
const noFeeMeta = Buffer.alloc(4).toString('base64');

export function transactionJson(entry: LedgerTransaction, links: Links): Json {
  const { envelope, ledger, token } = entry;
  const { hash, transaction } = envelope;
  const { minTime, maxTime } = transaction.timeBounds ?? { minTime: '0', maxTime: '0' };
  const [account, party] = [envelope.source.account, envelope.source];
  return {
    _links: links({
      self: `/transactions/${hash}`,
      account: `/accounts/${account}`,
      ledger: `/ledgers/${ledger.sequence}`,
      operations: `/transactions/${hash}/operations${pageTemplate}`,
      effects: `/transactions/${hash}/effects${pageTemplate}`,
      precedes: `/transactions?order=asc&cursor=${token}`,
      succeeds: `/transactions?order=desc&cursor=${token}`,
      transaction: `/transactions/${hash}`,
    }),
    id: hash,
    paging_token: token.toString(),
    successful: entry.successful,
    hash,
    ledger: ledger.sequence,
    created_at: timeOf(ledger.closedAt),
    source_account: account,
    ...(party.muxed && { account_muxed: party.muxed, account_muxed_id: party.muxedId }),
    source_account_sequence: envelope.sequence.toString(),
    ...partyFields('fee_account', party),
    fee_charged: entry.feeCharged.toString(),
    max_fee: envelope.maxFee.toString(),
    operation_count: envelope.operations.length,
    envelope_xdr: envelope.xdr,
    result_xdr: entry.resultXdr,
    result_meta_xdr: noMeta,
    fee_meta_xdr: noFeeMeta,
    ...memoFields(transaction.memo),
    signatures: transaction.signatures.map(({ signature }) =>
      Buffer.from(signature.toBytes()).toString('base64'),
    ),
    ...(transaction.timeBounds && {
      // An end of 0 is none.
      valid_after: timeOf(new Date(Number(minTime) * 1000)),
      ...(maxTime !== '0' && { valid_before: timeOf(new Date(Number(maxTime) * 1000)) }),
      preconditions: {
        timebounds: { min_time: minTime, ...(maxTime !== '0' && { max_time: maxTime }) },
      },
    }),
  };
}

/** Memos as Horizon tells them: text as such, numbers in decimal, hashes in base 64; none: no memo at all. */
export function memoFields(memo: Memo): Json {
  if (memo.type === 'none') return { memo_type: 'none' };
  if (memo.type === 'id') return { memo_type: 'id', memo: String(memo.value) };
  const bytes = Buffer.from(memo.value as Uint8Array | string);
  if (memo.type !== 'text') return { memo_type: memo.type, memo: bytes.toString('base64') };
  return { memo_type: 'text', memo: bytes.toString('utf8'), memo_bytes: bytes.toString('base64') };
}
