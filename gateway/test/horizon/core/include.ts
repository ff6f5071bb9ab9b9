import { type Account, type Draft, draftOver, keep } from './accounts.ts';
import { type Applied, applyOperation } from './apply.ts';
import { feeOf } from './check.ts';
import type { Envelope } from './envelope.ts';
import { accountsOf } from './history.ts';
import { type Ledger, type LedgerTransaction, tokenOf } from './ledger.ts';
import { resultXdr } from './results.ts';

/**
 * Applies envelopes to a ledger in their order: the fees of all first, then one transaction after the other, each
 * wholly or not at all. Resolves to the accounts as the ledger leaves them.
 */
export function applyLedger(
  ledger: Ledger,
  envelopes: Envelope[],
  base: Pick<Draft, 'get'>,
  baseReserve: bigint,
): ReadonlyMap<string, Account | null> {
  const draft = draftOver(base);
  const fees = envelopes.map((envelope) => {
    const account = draft.get(envelope.source.account)!;
    const wanted = feeOf(envelope, ledger.baseFee);
    const fee = wanted < account.units ? wanted : account.units;
    draft.set({ ...account, units: account.units - fee });
    ledger.feePool += fee;
    return fee;
  });
  envelopes.forEach((envelope, at) => {
    const place = { ledger, order: at + 1, feeCharged: fees[at]! };
    ledger.transactions.push(applyTransaction(draft, envelope, place, baseReserve));
  });
  return new Map(
    [...draft.changes].map(([id, account]) => [id, account && { ...account, changedIn: ledger.sequence }]),
  );
}

type Place = { ledger: Ledger; order: number; feeCharged: bigint };

function applyTransaction(
  draft: Draft,
  envelope: Envelope,
  place: Place,
  baseReserve: bigint,
): LedgerTransaction {
  const { ledger } = place;
  const account = draft.get(envelope.source.account);
  if (!account) return recordOf(envelope, place, 'tx_no_source_account', []);
  if (envelope.sequence !== account.sequence + 1n) return recordOf(envelope, place, 'tx_bad_seq', []);
  draft.set({ ...account, sequence: envelope.sequence, sequenceIn: ledger.sequence });
  const own = draftOver(draft);
  const applied = envelope.operations.map((operation) =>
    applyOperation({ draft: own, ledger: ledger.sequence, baseReserve }, operation),
  );
  const isSuccess = applied.every(({ code }) => code === 'op_success');
  if (isSuccess) keep(own, draft);
  return recordOf(envelope, place, isSuccess ? 'tx_success' : 'tx_failed', applied);
}

function recordOf(
  envelope: Envelope,
  { ledger, order, feeCharged }: Place,
  code: string,
  applied: Applied[],
): LedgerTransaction {
  const successful = code === 'tx_success';
  const outcomes = applied.map((outcome, at) => ({ type: envelope.operations[at]!.record.type, outcome }));
  const transaction: LedgerTransaction = {
    token: tokenOf(ledger.sequence, order, 0),
    ledger,
    envelope,
    successful,
    feeCharged,
    codes: {
      transaction: code,
      operations: applied.length > 0 ? applied.map((outcome) => outcome.code) : null,
    },
    resultXdr: resultXdr(feeCharged, code, outcomes),
    operations: [],
  };
  transaction.operations = envelope.operations.map((operation, at) => ({
    ...operation,
    token: tokenOf(ledger.sequence, order, at + 1),
    transaction,
    accounts: accountsOf(operation),
    amounts: (successful && applied[at]?.amounts) || null,
    effects: (successful && applied[at]?.effects) || [],
  }));
  return transaction;
}
