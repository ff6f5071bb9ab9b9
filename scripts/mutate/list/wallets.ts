import type { Mutation } from '../mutation.ts';

const at = (path: string) => `gateway/src/wallets/${path}`;
const dailyLimit = at('daily-limit.test.ts');
const sendTest = at('sends/send.test.ts');
const withdrawTest = at('withdrawals/withdraw.test.ts');

export const wallets: readonly Mutation[] = [
  {
    name: 'wallets/send-pays-debts',
    file: at('sends/send.ts'),
    find: 'await repayReceivables(tx, [debtOf(sender.id)], now);',
    replace: '',
    harm: 'Who owes something sends the money away.',
  },
  {
    name: 'wallets/send-same-form',
    file: at('sends/send.ts'),
    find: 'earlier.units === units &&',
    replace: '',
    harm: 'A form that was changed and sent again answers that the new amount was sent.',
  },
  {
    name: 'wallets/limit-of-the-day',
    file: at('limits.ts'),
    find: 'if (limit === null || used <= limit) return;',
    replace: 'if (limit === null || units <= limit) return;',
    harm: 'A stolen session sends the daily limit again and again.',
    tests: [sendTest],
  },
  {
    name: 'wallets/limit-given-back',
    file: at('limits.ts'),
    find: '[userId, mode, action, asset, dayOf(at), units],',
    replace: '[userId, mode, action, asset, dayOf(new Date()), units],',
    harm: 'A withdrawal of yesterday that fails makes room in the limit of today.',
    tests: [withdrawTest],
  },
  {
    name: 'wallets/withdraw-pays-debts',
    file: 'gateway/src/ledger/holds.ts',
    find: 'const debts = repays ? transfers.map(receivableOf) : [];',
    replace: 'const debts: AccountRef[] = [];',
    harm: 'Who owes something withdraws the money.',
    tests: [at('withdrawals/debts.test.ts')],
  },
  {
    name: 'wallets/withdraw-same-address',
    file: at('withdrawals/withdraw.ts'),
    find: 'comparable(earlier.to) === comparable(to) &&',
    replace: '',
    harm: 'A form that was changed and sent again answers that the money goes to the new address.',
  },
  {
    name: 'wallets/withdraw-failed',
    file: at('withdrawals/purpose.ts'),
    find: 'const unpaid = payouts.filter(({ status }) => unpaidEnds.includes(status));',
    replace: "const unpaid = payouts.filter(({ status }) => status === 'cancelled');",
    harm: 'A withdrawal that failed counts in the limit of its day.',
    tests: [withdrawTest],
  },
  {
    name: 'wallets/funding-limit',
    file: at('allowance.ts'),
    find: 'for (const use of own) used.set(nameOf(useOf(use)), usedOf(use) + use.units);',
    replace: '',
    harm: 'A key funds users beyond its daily limit.',
    tests: [dailyLimit],
  },
  {
    name: 'wallets/funding-refused',
    file: at('embedded-backend.ts'),
    find: "fitting.filter((item) => outcomeOf.get(item) !== 'posted');",
    replace: "fitting.filter((item) => outcomeOf.get(item) === 'conflict');",
    harm: 'A funding that the balance did not cover uses the limit up.',
    tests: [dailyLimit],
  },
  {
    name: 'wallets/funding-voided',
    file: at('allowance.ts'),
    find: "if (how === 'voided') await giveBackUses",
    replace: "if (how === 'posted') await giveBackUses",
    harm: 'A funding that succeeded is given back to the limit, and one that failed is not.',
    tests: [dailyLimit, at('remote-reconcile.test.ts'), at('remote-ordered.test.ts')],
  },
  {
    name: 'wallets/pay-parts',
    file: at('pay.ts'),
    find: 'left -= rescale(units, scale, fineScale);',
    replace: '',
    harm: 'A payment out of two balances takes its whole amount from each.',
  },
  {
    name: 'wallets/pay-frozen',
    file: at('pay.ts'),
    find: 'if (user.isFrozen) throw refuse(walletErrors.wallet_frozen);',
    replace: '',
    harm: 'A frozen wallet pays.',
  },
  {
    name: 'wallets/deposit-spent',
    file: 'gateway/src/payouts/arrivals/book.ts',
    find: 'await coverShortage(tx, holder, [reversal], now), now);',
    replace: '[reversal], now);',
    harm: 'A deposit that was spent and has left its chain is never taken back.',
    tests: [at('deposits/deposits.test.ts')],
  },
];
