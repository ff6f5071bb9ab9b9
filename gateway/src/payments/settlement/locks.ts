import type { Owner } from '../../identity/owner.ts';
import { afterCommit, identityOf, poolOf, type Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { anyLength } from '../../kit/db/sql-arrays.ts';
import { type AccountRef, accountName, lockAccounts } from '../../ledger/accounts.ts';
import type { Payment } from '../payment/payment.ts';
import { type PaymentRow, paymentOf } from '../payment/payment-row.ts';

// Transactions that book lock in one order, so that none waits for another in a circle: payments by their ids, then
// unmatched deposits, then all accounts that the transaction may book to, by their ids.

/** Locks payments until the end of the transaction, in the order of their ids. Throws for an id of none. */
export async function lockPayments(tx: Tx, ids: readonly string[]): Promise<Payment[]> {
  const { rows } = await tx.query<PaymentRow>({
    name: 'lock-payments',
    text: `SELECT * FROM payments WHERE id = ANY ${anyLength('$1', 'uuid')} ORDER BY id FOR UPDATE`,
    values: [ids],
  });
  const found = new Set<string>(rows.map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw new Error(`No payment ${missing}`);
  return rows.map(paymentOf);
}

/** The payment that a call names, by the reference that its owner gave it. */
export type OwnReference = Owner & { reference: string };

/** Locks those of these payments that exist. */
export async function lockOwnPayments(tx: Tx, wanted: readonly OwnReference[]): Promise<Payment[]> {
  const { rows } = await tx.query<PaymentRow>({
    name: 'lock-own-payments',
    // `= ANY` as where payments are written (sql.ts). The mode is compared afterwards: with it PostgreSQL may prefer an index that
    // begins with integration and mode, and read all that it has of them.
    text: `SELECT p.* FROM unnest(${anyLength('$1', 'text')}, ${anyLength('$2', 'uuid')}) AS k (reference, integration_id)
           JOIN payments p ON p.reference = k.reference AND p.integration_id = k.integration_id
           WHERE p.reference = ANY ${anyLength('$1', 'text')}
           ORDER BY p.id FOR UPDATE OF p`,
    values: [wanted.map(({ reference }) => reference), wanted.map(({ integrationId }) => integrationId)],
  });
  const modes = Map.groupBy(wanted, ({ integrationId, reference }) => `${integrationId} ${reference}`);
  const isWanted = ({ integrationId, reference, mode }: Payment): boolean =>
    modes.get(`${integrationId} ${reference}`)?.some((own) => own.mode === mode) ?? false;
  return rows.map(paymentOf).filter(isWanted);
}

/** Locks one payment until the end of the transaction. */
export async function lockPayment(tx: Tx, id: string): Promise<Payment> {
  return oneRow({ rows: await lockPayments(tx, [id]) }, 'lock payment');
}

/** A locked payment, and in which assets something may be booked for it. */
export type Bookable = { payment: Payment; assets: readonly string[] };

const bookedKinds = ['suspense', 'business', 'payable', 'receivable'] as const;

/** Locks of the accounts to which a transaction books. */
export type MoneyLock = {
  /**
   * Locks every account that booking for these payments may touch: those of their integrations, and `others`. To be called
   * before the transaction's first booking with all that it may book for; what it has locked before costs nothing.
   */
  lock(bookables?: readonly Bookable[], others?: readonly AccountRef[]): Promise<void>;
  /** The same no later than with the next `lock`: at once where an account may have to be opened. */
  lockLater(bookables: readonly Bookable[], others?: readonly AccountRef[]): Promise<void>;
};

type Accounts = ReadonlyMap<string, AccountRef>;

const lockedIn = new WeakMap<object, Set<string>>();

export function moneyLock(tx: Tx): MoneyLock {
  let waiting: Accounts = new Map();

  async function lock(accounts: Accounts): Promise<void> {
    waiting = new Map();
    const life = identityOf(tx);
    const locked = lockedIn.get(life) ?? new Set();
    lockedIn.set(life, locked);
    const isNew = [...accounts.keys()].some((name) => !locked.has(name));
    for (const name of accounts.keys()) locked.add(name);
    if (!isNew) return;
    afterCommit(tx, () => noteOpen(tx, accounts));
    await lockAccounts(tx, [...accounts.values()]);
  }

  const withWaiting = (bookables: readonly Bookable[], others: readonly AccountRef[]): Accounts => {
    const own = bookables.flatMap(({ payment, assets }) => accountsOf(payment, assets));
    return new Map([...waiting, ...[...own, ...others].map((ref) => [accountName(ref), ref] as const)]);
  };

  return {
    lock: (bookables = [], others = []) => lock(withWaiting(bookables, others)),
    async lockLater(bookables, others = []) {
      const accounts = withWaiting(bookables, others);
      if (areOpen(tx, accounts)) waiting = accounts;
      else await lock(accounts);
    },
  };
}

const mostOpen = 20_000;
/** Names of accounts of each database that are known to exist; none is ever deleted. */
const openIn = new WeakMap<object, Set<string>>();

function noteOpen(tx: Tx, accounts: Accounts): void {
  const before = openIn.get(poolOf(tx));
  const open = before && before.size < mostOpen ? before : new Set<string>();
  for (const name of accounts.keys()) open.add(name);
  openIn.set(poolOf(tx), open);
}

function areOpen(tx: Tx, accounts: Accounts): boolean {
  const open = openIn.get(poolOf(tx));
  return [...accounts.keys()].every((name) => open?.has(name));
}

function accountsOf({ integrationId: owner, mode }: Payment, assets: readonly string[]): AccountRef[] {
  return assets.flatMap((asset) => [
    ...bookedKinds.map((kind) => ({ kind, owner, mode, asset })),
    { kind: 'fees' as const, owner: '', mode, asset },
  ]);
}
