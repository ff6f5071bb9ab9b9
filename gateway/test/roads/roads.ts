import { ownAddress, ownRefund } from './own-address.ts';
import {
  byFreshPerson,
  byKey,
  byLink,
  byOperator,
  byPerson,
  byTwoOperators,
  byWallet,
  mode,
  operator,
  type Road,
  type RoadAnswer,
} from './road.ts';

const src = 'gateway/src';
const fresh: RoadAnswer = {
  says: 'a sign-in of the last ten minutes, with the second factor where the account has one',
  test: `${src}/identity/console/factor-changes.test.ts`,
};
const twoOperators: RoadAnswer = {
  says: 'another operator, or a day passes with mails',
  test: `${src}/identity/proposals/proposals.test.ts › waits for the other one, who gets a mail, and is given up after seven days`,
};
const walletFactor: RoadAnswer = {
  says: "the wallet's, where it has one",
  test: `${src}/wallet-pages/api/moving.test.ts › asks for a code of whoever has a second factor, unless one was shown in the last minutes`,
};
const ownMoney: RoadAnswer = { says: 'nobody: it is their own money', test: null };

export const roads: readonly Road[] = [
  {
    name: 'payout of a business',
    asks: 'a key that names `make payouts`; an owner or finance',
    approves: {
      says: 'as many people as the owner set above an amount, and one above the limit of a key that asks; never who asked; an operator above theirs',
      test: `${src}/payouts/api/console-routes.test.ts › somebody else than who asked approves, once; they are mailed, who asked is not`,
    },
    limit: {
      says: "the key's, and the operator's over all, for each asset and UTC day",
      test: `${src}/payouts/lifecycle/model.test.ts`,
    },
    factor: fresh,
    purpose: 'merchant_payout',
    calls: [
      ...byKey('make payouts', 'POST /payouts', 'POST /payouts/batch', 'POST /payouts/:payout/cancel'),
      ...byPerson('make payouts', `POST ${mode}/payouts/preview`, `POST ${mode}/payouts/:payout/cancel`),
      ...byFreshPerson(
        'make payouts',
        `POST ${mode}/payouts`,
        `POST ${mode}/payouts/:payout/approve`,
        `POST ${mode}/payouts/:payout/reject`,
      ),
      ...byOperator(
        `POST ${operator}/payouts/:payout/approve`,
        `POST ${operator}/payouts/:payout/reject`,
        `POST ${operator}/payouts/:payout/fail`,
      ),
    ],
  },
  ownAddress,
  ownRefund,
  {
    name: 'schedule of payouts',
    asks: 'an owner or finance',
    approves: {
      says: 'as many as a payout needs at its time, once for the schedule, else each payout; never who set it up',
      test: `${src}/payouts/schedules/approvals.test.ts › a schedule that was set up without approvals needs those that the owner asks for later, of others than its maker`,
    },
    limit: {
      says: "its own most for each time; the operator's over all",
      test: `${src}/payouts/schedules/run-once.test.ts › many processes pay one time once`,
    },
    factor: fresh,
    calls: [
      ...byFreshPerson(
        'make payouts',
        `POST ${mode}/payout-schedules`,
        `POST ${mode}/payout-schedules/:schedule/approve`,
      ),
      ...byPerson('make payouts', `DELETE ${mode}/payout-schedules/:schedule`),
    ],
  },
  {
    name: 'refund to an address',
    asks: 'a key that names `make refunds`; an owner or finance',
    approves: {
      says: 'as a payout; where known addresses alone are allowed it is known, or the one that paid',
      test: `${src}/payments/api/refund-routes.test.ts`,
    },
    limit: {
      says: "the key's, by the business's share; the operator's over all",
      test: `${src}/payments/refunds/makers.test.ts › counts what is out of the business balance, and not an overpayment`,
    },
    factor: fresh,
    purpose: 'refund',
    calls: [
      ...byKey(
        'make refunds',
        'POST /payments/:payment_reference/refunds',
        'POST /payments/:payment_reference/refunds/:id/cancel',
      ),
      ...byFreshPerson('make payouts', `POST ${mode}/payments/:reference/refunds`),
      ...byPerson(
        'make payouts',
        `POST ${mode}/payments/:reference/refunds/:refund/cancel`,
        `POST ${mode}/payments/:reference/refunds/:refund/mail-link`,
      ),
    ],
  },
  {
    name: 'refund that its customer claims',
    asks: 'who made the refund, then who holds the link of the payment',
    approves: {
      says: 'as a payout, never who made it; above the limit of links somebody of the business, unless the address paid or is proved',
      test: `${src}/payments/refunds/makers.test.ts › never approves its payout, whoever claims it, and after it failed neither`,
    },
    limit: {
      says: 'the one of the key that made it, from when it was made',
      test: `${src}/payments/refunds/makers.test.ts › is taken when the refund is made, and not once more when it is claimed`,
    },
    factor: {
      says: 'none for the link: the address that paid, its signature, or an approval',
      test: `${src}/payments/refunds/makers.test.ts › goes to the address that paid, or to one proved by it, alone where nobody else may approve`,
    },
    calls: [
      byLink('POST /pay/refund'),
      ...byKey('make refunds', 'POST /api/v1/stores/:storeId/invoices/:invoiceId/refund'),
    ],
  },
  {
    name: 'refund to a wallet',
    asks: 'as a refund to an address',
    approves: {
      says: 'as a payout, as one with the rest of its refund',
      test: `${src}/payments/refunds/wallets.test.ts › waits for the approval of another person where payouts do, and nothing is sent before`,
    },
    limit: {
      says: "the key's, by the business's share",
      test: `${src}/payments/refunds/wallets.test.ts › takes the daily limit of the key that makes it`,
    },
    factor: fresh,
    calls: [],
  },
  {
    name: 'end of an appeal',
    asks: 'an owner or finance accepts or returns; an operator returns, or rejects a dispute',
    approves: {
      says: 'nobody: what came goes to whom the decision names, and what then leaves is a refund that its customer claims',
      test: `${src}/payments/api/console-appeal-routes.test.ts › gives the money back, on the word of the business or the operator`,
    },
    limit: {
      says: 'what came for the payment',
      test: `${src}/payments/api/console-appeal-routes.test.ts › of the business completes the payment with what came, once, and is in the log`,
    },
    factor: fresh,
    calls: [
      ...byFreshPerson(
        'accept appeals',
        `POST ${mode}/appeals/:appeal/accept`,
        `POST ${mode}/appeals/:appeal/return`,
      ),
      ...byOperator(
        `POST ${operator}/appeals/:appeal/return`,
        `POST ${operator}/appeals/:appeal/reject-dispute`,
      ),
    ],
  },
  {
    name: 'owed refund that the operator sends',
    asks: 'an operator',
    approves: {
      says: 'another operator, or a day passes with mails; the business too, of its own money',
      test: `${src}/payments/refunds/makers.test.ts › an operator who names the address of a business’s own refund needs its approval`,
    },
    limit: { says: "the operator's over all", test: `${src}/payouts/lifecycle/model.test.ts` },
    factor: fresh,
    calls: byTwoOperators(`POST ${operator}/owed-refunds/:refund/send`),
  },
  {
    name: "funding of a user's wallet",
    asks: 'a key that may `fund users`; an owner or finance',
    approves: {
      says: 'by a key nobody; by a person as many as a payout needs, never who asked',
      test: `${src}/wallets/api/console-funding-routes.test.ts › is an order that waits with its hold, and reaches the wallet once somebody else approved it`,
    },
    limit: {
      says: "the key's, then the integration's, for each asset and UTC day; the owner may turn it off",
      test: `${src}/wallets/api/console-funding-routes.test.ts › limit what all keys and people fund on a day, and what waits counts until it ends unpaid`,
    },
    factor: fresh,
    purpose: 'user_funding',
    calls: [
      ...byKey('fund users', 'POST /payment/fund-user'),
      ...byFreshPerson('fund users', `POST ${mode}/fund-user`),
    ],
  },
  {
    name: 'payment out of a wallet, also to a business of its owner',
    asks: 'who signs in to the wallet',
    approves: ownMoney,
    limit: {
      says: "that of the wallet's level, for each UTC day",
      test: `${src}/wallets/pay.test.ts › the daily limit of a level holds with a second factor too, and begins anew at midnight UTC`,
    },
    factor: {
      says: "the wallet's, where it has one or the amount needs one",
      test: `${src}/wallets/pay.test.ts › with a second factor a password alone does not pay: the wallet does`,
    },
    calls: [byLink('POST /pay/wallet'), ...byWallet('POST /wallet/pay')],
  },
  {
    name: 'send to another wallet',
    asks: "the wallet's owner",
    approves: ownMoney,
    limit: {
      says: "that of the wallet's level, for each UTC day",
      test: `${src}/wallets/sends/send.test.ts › holds against any number of sends at once, and a refused one takes nothing of it`,
    },
    factor: walletFactor,
    calls: byWallet('POST /wallet/send'),
  },
  {
    name: 'withdrawal out of a wallet',
    asks: "the wallet's owner, to an address that has rested for a day",
    approves: {
      says: 'an operator above their amount',
      test: `${src}/wallets/withdrawals/withdraw.test.ts › an operator approves what is above their amount, and a rejected one is given back`,
    },
    limit: {
      says: "that of the wallet's level; the operator's over all",
      test: `${src}/wallets/withdrawals/withdraw.test.ts › a daily limit counts amounts, and gets back what ends unsent`,
    },
    factor: {
      says: "the wallet's, always, unless the operator turned the checks off",
      test: `${src}/wallets/withdrawals/withdraw.test.ts › a withdrawal needs a second factor, and an address that has rested for a day`,
    },
    purpose: 'withdrawal',
    calls: byWallet(
      'POST /wallet/withdraw',
      'POST /wallet/withdraw/cancel',
      'POST /wallet/withdraw/address',
      'POST /wallet/withdraw/address-off',
    ),
  },
  {
    name: 'withdrawal of fees',
    asks: 'an operator',
    approves: twoOperators,
    limit: {
      says: "the fees that were taken; the operator's over all",
      test: `${src}/payouts/fees/withdraw.test.ts`,
    },
    factor: fresh,
    purpose: 'fee_withdrawal',
    calls: [
      ...byTwoOperators(`POST ${operator}/fee-withdrawals`),
      ...byOperator(`POST ${operator}/fee-withdrawals/:payout/cancel`),
    ],
  },
  {
    name: 'unmatched deposit: sent back, assigned or kept',
    asks: 'an operator',
    approves: twoOperators,
    limit: {
      says: "what came; where it is sent back, the operator's over all",
      test: 'gateway/test/operator-unmatched.test.ts',
    },
    factor: fresh,
    purpose: 'unmatched_return',
    calls: byTwoOperators(
      `POST ${operator}/strays/:deposit/send-back`,
      `POST ${operator}/strays/:deposit/assign`,
      `POST ${operator}/strays/:deposit/keep`,
    ),
  },
  {
    name: 'money that left without an order: whose it was',
    asks: 'an operator, and its owner is debited',
    approves: twoOperators,
    limit: { says: 'what the network shows', test: 'gateway/test/operator-moves.test.ts' },
    factor: fresh,
    calls: byTwoOperators(`POST ${operator}/treasury-moves/:move/assign`),
  },
  {
    name: 'payout that is paid by hand',
    asks: 'an operator exports it; the admin of the vault, or the treasury, signs elsewhere',
    approves: {
      says: 'nobody once more: only what is ordered and approved is exported, and its id is paid once',
      test: 'gateway/test/payouts-by-hand.test.ts',
    },
    limit: { says: 'what was ordered', test: 'gateway/test/payouts-by-hand.test.ts' },
    factor: fresh,
    calls: byOperator(`POST ${operator}/payout-exports`, `POST ${operator}/payout-exports/:export/take-back`),
  },
];
