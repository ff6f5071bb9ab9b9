import type { OperationRecord } from '@stellar/stellar-sdk';
import { type Account, credit, type Draft, debit, minimumOf, subentriesOf } from './accounts.ts';
import { issuerOf, nameOf, native, unitsOf } from './amounts.ts';
import * as effect from './effects.ts';
import { destinationOf, type EnvelopeOperation, type Party, partyOf } from './envelope.ts';
import type { Effect, LedgerOperation } from './ledger.ts';
import { applyPath } from './path.ts';
import type { OperationOutcome } from './results.ts';

export type Applied = OperationOutcome & { effects?: Effect[]; amounts?: LedgerOperation['amounts'] };

/** What operations change, and where. */
export type Place = { draft: Draft; ledger: number; baseReserve: bigint };

type Kind<T extends OperationRecord['type']> = Extract<OperationRecord, { type: T }>;

/** Applies an operation to the draft; one that failed may leave changes there, which are to be given up. */
export function applyOperation(place: Place, { record, source }: EnvelopeOperation): Applied {
  if (!place.draft.get(source.account)) return { code: 'op_no_source_account' };
  switch (record.type) {
    case 'payment':
      return applyPayment(place, record, source);
    case 'createAccount':
      return applyCreate(place, record, source);
    case 'pathPaymentStrictReceive':
    case 'pathPaymentStrictSend':
      return applyPath(place, record, source);
    case 'accountMerge':
      return applyMerge(place, record, source);
    case 'changeTrust':
      return applyTrust(place, record, source);
    case 'manageData':
      return applyData(place, record, source);
    case 'bumpSequence':
      return applyBump(place, record, source);
    default:
      return { code: 'op_not_supported' };
  }
}

function applyPayment({ draft, baseReserve }: Place, record: Kind<'payment'>, source: Party): Applied {
  const to = partyOf(record.destination);
  const asset = nameOf(record.asset);
  const units = unitsOf(record.amount);
  const effects = [effect.credited(to, asset, units), effect.debited(source, asset, units)];
  // Coins that go nowhere need not be there.
  if (asset === native && to.account === source.account) return { code: 'op_success', effects };
  const fault =
    (!draft.get(to.account) && 'op_no_destination') ||
    credit(draft, to.account, asset, units) ||
    debit(draft, source.account, asset, units, baseReserve);
  return fault ? { code: fault } : { code: 'op_success', effects };
}

function applyCreate(
  { draft, ledger, baseReserve }: Place,
  record: Kind<'createAccount'>,
  source: Party,
): Applied {
  const units = unitsOf(record.startingBalance);
  if (draft.get(record.destination)) return { code: 'op_already_exists' };
  if (units < baseReserve * 2n) return { code: 'op_low_reserve' };
  const fault = debit(draft, source.account, native, units, baseReserve);
  if (fault) return { code: fault };
  draft.set(newAccount(record.destination, units, ledger));
  const party = partyOf(record.destination);
  const effects = [
    effect.created(party, units),
    effect.debited(source, native, units),
    effect.signerCreated(party),
  ];
  return { code: 'op_success', effects };
}

/** Its sequence begins where no transaction of an account of that name before it can be. */
export function newAccount(id: string, units: bigint, ledger: number): Account {
  const sequence = BigInt(ledger) << 32n;
  return { id, units, sequence, trust: {}, data: {}, changedIn: ledger, sequenceIn: null };
}

function applyMerge({ draft, ledger }: Place, record: Kind<'accountMerge'>, source: Party): Applied {
  const into = destinationOf(record)!;
  if (!draft.get(into.account)) return { code: 'op_no_account' };
  const account = draft.get(source.account)!;
  if (subentriesOf(account) > 0) return { code: 'op_has_sub_entries' };
  if (account.sequence >= BigInt(ledger) << 32n) return { code: 'op_seq_num_too_far' };
  if (credit(draft, into.account, native, account.units)) return { code: 'op_dest_full' };
  draft.remove(source.account);
  const effects = [
    effect.debited(source, native, account.units),
    effect.credited(into, native, account.units),
    effect.removed(source),
  ];
  return { code: 'op_success', payload: { sourceAccountBalance: account.units }, effects };
}

function applyTrust({ draft, baseReserve }: Place, record: Kind<'changeTrust'>, source: Party): Applied {
  if (!('code' in record.line)) return { code: 'op_malformed' };
  const asset = nameOf(record.line);
  const limit = unitsOf(record.limit);
  const account = draft.get(source.account)!;
  const line = account.trust[asset];
  const { [asset]: _, ...others } = account.trust;
  if (limit < (line?.units ?? 0n) || (limit === 0n && !line)) return { code: 'op_invalid_limit' };
  if (limit === 0n) {
    draft.set({ ...account, trust: others });
    return { code: 'op_success', effects: [effect.trustChanged(source, 'removed', asset, limit)] };
  }
  if (!draft.get(issuerOf(asset)!)) return { code: 'op_no_issuer' };
  const changed = { ...account, trust: { ...others, [asset]: { units: line?.units ?? 0n, limit } } };
  if (!line && changed.units < minimumOf(changed, baseReserve)) return { code: 'op_low_reserve' };
  draft.set(changed);
  const effects = [effect.trustChanged(source, line ? 'updated' : 'created', asset, limit)];
  return { code: 'op_success', effects };
}

function applyData({ draft, baseReserve }: Place, record: Kind<'manageData'>, source: Party): Applied {
  const account = draft.get(source.account)!;
  const isKnown = record.name in account.data;
  const { [record.name]: _, ...others } = account.data;
  if (record.value === undefined) {
    if (!isKnown) return { code: 'op_data_name_not_found' };
    draft.set({ ...account, data: others });
    return { code: 'op_success', effects: [effect.dataChanged(source, 'removed', record.name, null)] };
  }
  const value = Buffer.from(record.value).toString('base64');
  const changed = { ...account, data: { ...others, [record.name]: value } };
  if (!isKnown && changed.units < minimumOf(changed, baseReserve)) return { code: 'op_low_reserve' };
  draft.set(changed);
  const effects = [effect.dataChanged(source, isKnown ? 'updated' : 'created', record.name, value)];
  return { code: 'op_success', effects };
}

function applyBump({ draft }: Place, record: Kind<'bumpSequence'>, source: Party): Applied {
  const sequence = BigInt(record.bumpTo);
  const account = draft.get(source.account)!;
  if (sequence < 0n) return { code: 'op_bad_seq' };
  if (sequence <= account.sequence) return { code: 'op_success' };
  draft.set({ ...account, sequence });
  return { code: 'op_success', effects: [effect.sequenceBumped(source, sequence)] };
}
