import type { PostOutcome, Transfer } from '../../src/ledger/ledger.ts';

/** One ledger in memory: what the real one must do, in the plainest words. */
export type LedgerModel = {
  /** What an account may still spend; external accounts and fees have no bottom. */
  available(account: string): bigint;
  held(account: string): bigint;
  balance(account: string): bigint;
  post(transfer: Transfer): PostOutcome;
  place(transfer: Transfer): 'placed' | 'insufficient';
  end(id: string, end: 'posted' | 'voided'): boolean;
  clone(): LedgerModel;
};

type Hold = { transfer: Transfer; pending: boolean };

/** The account's name in the model: kind and owner. */
export function nameOf({ kind, owner }: { kind: string; owner: string }): string {
  return `${kind} ${owner}`;
}

export function createLedgerModel(
  balances = new Map<string, bigint>(),
  known = new Map<string, Transfer>(),
  holds = new Map<string, Hold>(),
): LedgerModel {
  const balance = (account: string): bigint => balances.get(account) ?? 0n;
  const held = (account: string): bigint => {
    let sum = 0n;
    for (const { transfer, pending } of holds.values()) {
      if (pending && nameOf(transfer.debit) === account) sum += transfer.units;
    }
    return sum;
  };
  const available = (account: string): bigint => balance(account) - held(account);
  const isBottomless = (kind: string): boolean => kind === 'external' || kind === 'fees';
  const covers = ({ debit, units }: Transfer): boolean =>
    isBottomless(debit.kind) || available(nameOf(debit)) >= units;

  function move(transfer: Transfer): void {
    known.set(transfer.id, transfer);
    balances.set(nameOf(transfer.debit), balance(nameOf(transfer.debit)) - transfer.units);
    balances.set(nameOf(transfer.credit), balance(nameOf(transfer.credit)) + transfer.units);
  }

  return {
    available,
    held,
    balance,
    post(transfer) {
      const before = known.get(transfer.id);
      if (before) return isSame(before, transfer) ? 'exists' : 'conflict';
      if (!covers(transfer)) return 'insufficient';
      move(transfer);
      return 'posted';
    },
    place(transfer) {
      if (!covers(transfer)) return 'insufficient';
      holds.set(transfer.id, { transfer, pending: true });
      return 'placed';
    },
    end(id, end) {
      const hold = holds.get(id);
      if (!hold?.pending) return false;
      holds.set(id, { ...hold, pending: false });
      if (end === 'posted') move(hold.transfer);
      return true;
    },
    clone: () => createLedgerModel(new Map(balances), new Map(known), new Map(holds)),
  };
}

function isSame(one: Transfer, other: Transfer): boolean {
  return (
    one.units === other.units &&
    nameOf(one.debit) === nameOf(other.debit) &&
    nameOf(one.credit) === nameOf(other.credit)
  );
}
