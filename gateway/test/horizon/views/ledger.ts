import { decimalOf } from '../core/amounts.ts';
import { type LedgerCore, totalCoins } from '../core/core.ts';
import { type Ledger, tokenOf } from '../core/ledger.ts';
import { type Json, type Links, pageTemplate } from './links.ts';
import { timeOf } from './time.ts';

export const protocolVersion = 19;

export function ledgerJson(ledger: Ledger, core: LedgerCore, links: Links): Json {
  const { sequence, hash, transactions } = ledger;
  const successful = transactions.filter((each) => each.successful);
  const operationsIn = (list: typeof transactions) =>
    list.reduce((count, { operations }) => count + operations.length, 0);
  return {
    _links: links({
      self: `/ledgers/${sequence}`,
      ...Object.fromEntries(
        ['transactions', 'operations', 'payments', 'effects'].map((list) => [
          list,
          `/ledgers/${sequence}/${list}${pageTemplate}`,
        ]),
      ),
    }),
    id: hash,
    paging_token: tokenOf(sequence, 0, 0).toString(),
    hash,
    prev_hash: ledger.previousHash,
    sequence,
    successful_transaction_count: successful.length,
    failed_transaction_count: transactions.length - successful.length,
    operation_count: operationsIn(successful),
    tx_set_operation_count: operationsIn(transactions),
    closed_at: timeOf(ledger.closedAt),
    total_coins: decimalOf(totalCoins),
    fee_pool: decimalOf(ledger.feePool),
    base_fee_in_stroops: Number(ledger.baseFee),
    base_reserve_in_stroops: Number(core.baseReserve),
    max_tx_set_size: 1000,
    protocol_version: protocolVersion,
    header_xdr: '',
  };
}

/** What `GET /` tells of the network; `ledger` is the last one that this Horizon has. */
export function rootJson(ledger: Ledger, core: LedgerCore, links: Links): Json {
  return {
    _links: links({
      self: '/',
      account: '/accounts/{account_id}',
      account_transactions: `/accounts/{account_id}/transactions${pageTemplate}`,
      fee_stats: '/fee_stats',
      ledger: '/ledgers/{sequence}',
      ledgers: `/ledgers${pageTemplate}`,
      operation: '/operations/{id}',
      operations: '/operations{?cursor,limit,order,include_failed}',
      payments: '/payments{?cursor,limit,order,include_failed}',
      transaction: '/transactions/{hash}',
      transactions: `/transactions${pageTemplate}`,
    }),
    horizon_version: '2.23.1-stand-in',
    core_version: 'stellar-core 19.9.0 (stand-in)',
    ingest_latest_ledger: ledger.sequence,
    history_latest_ledger: ledger.sequence,
    history_latest_ledger_closed_at: timeOf(ledger.closedAt),
    history_elder_ledger: 1,
    core_latest_ledger: core.last().sequence,
    network_passphrase: core.passphrase,
    current_protocol_version: protocolVersion,
    supported_protocol_version: protocolVersion,
    core_supported_protocol_version: protocolVersion,
  };
}

const percentiles = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99];

/** Fees of an operation; with a ledger that is never full, all pay the lowest. */
export function feeStatsJson(ledger: Ledger, core: LedgerCore): Json {
  const fee = core.baseFee.toString();
  const spread = {
    max: fee,
    min: fee,
    mode: fee,
    ...Object.fromEntries(percentiles.map((percent) => [`p${percent}`, fee])),
  };
  return {
    last_ledger: ledger.sequence.toString(),
    last_ledger_base_fee: fee,
    ledger_capacity_usage: '0.01',
    fee_charged: spread,
    max_fee: spread,
  };
}
