import type { Mutation } from '../mutation.ts';

const sql = 'gateway/src/ledger/sql.ts';
const receivable = 'gateway/src/ledger/receivable.ts';
const ledgerTest = 'gateway/src/ledger/ledger.test.ts';

export const ledger: readonly Mutation[] = [
  {
    name: 'ledger/batch-sum',
    file: sql,
    find: 'sum(units) OVER (PARTITION BY account ORDER BY n) AS change',
    replace: 'units AS change',
    harm: 'Each transfer of a batch may take all that an account had before the batch.',
    tests: [ledgerTest],
  },
  {
    name: 'ledger/batch-spent',
    file: sql,
    find: 'i.units <= l.available - coalesce(s.units, 0)',
    replace: 'i.units <= l.available',
    harm: 'What the batch has spent already is left out where it is said which transfer still fits.',
    tests: [ledgerTest],
    same: 'what seems to fit is judged once more in a round of its own, by the balance that is then left',
  },
  {
    name: 'ledger/held-spent',
    file: sql,
    find: 'a.held, a.balance - a.held AS available',
    replace: 'a.held, a.balance AS available',
    harm: 'A transfer takes what a hold has set aside, so that a payout under way is not covered.',
    tests: [ledgerTest],
  },
  {
    name: 'ledger/held-twice',
    file: sql,
    find: 'a.balance - a.held >= wanted.units',
    replace: 'a.balance >= wanted.units',
    harm: 'Two holds set the same money aside.',
    tests: [ledgerTest],
  },
  {
    name: 'ledger/holds-of-one-account',
    file: sql,
    find: 'SELECT debit, sum(units) AS units FROM hold GROUP BY debit',
    replace: 'SELECT debit, max(units) AS units FROM hold GROUP BY debit',
    harm: 'Of holds that end together the largest alone is freed, and the rest of the money stays locked for ever.',
    tests: [ledgerTest],
  },
  {
    name: 'ledger/hold-ends-once',
    file: sql,
    find: "WHERE id = ANY ($1) AND state = 'pending'",
    replace: 'WHERE id = ANY ($1)',
    harm: 'A hold that has ended is ended again: what it set aside is freed twice.',
    tests: [ledgerTest],
  },
  {
    name: 'ledger/known-id',
    file: sql,
    find: 'k.credit = i.credit AND k.units = i.units',
    replace: 'k.credit = i.credit',
    harm: 'A transfer under a known id with another amount passes for the one that was posted.',
    tests: [ledgerTest],
  },
  {
    name: 'ledger/cover-twice',
    file: receivable,
    find: 'left.set(transfer.asset, available - covered);',
    replace: 'left.set(transfer.asset, available);',
    harm: 'The same balance covers two transfers, so that a reversal of both fails as a whole.',
  },
  {
    name: 'ledger/cover-held',
    file: receivable,
    find: 'SELECT asset, balance - held AS available FROM ledger_accounts',
    replace: 'SELECT asset, balance AS available FROM ledger_accounts',
    harm: 'What a hold has set aside covers a reversal, which then fails while a payout is under way.',
  },
  {
    name: 'ledger/repay-held',
    file: receivable,
    find: 'SELECT kind, balance - held AS available FROM ledger_accounts',
    replace: 'SELECT kind, balance AS available FROM ledger_accounts',
    harm: 'A debt is paid with what another payout has set aside, so that no payout of a debtor can end any more.',
  },
  {
    name: 'ledger/repay-more',
    file: receivable,
    find: 'const units = owed < balance.available ? owed : balance.available;',
    replace: 'const units = balance.available;',
    harm: 'More than the debt is taken from who owes it.',
  },
];
