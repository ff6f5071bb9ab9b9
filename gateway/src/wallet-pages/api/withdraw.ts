import { transaction } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import type { PayoutDeps } from '../../payouts/lifecycle/state.ts';
import { walletErrors } from '../../wallets/errors.ts';
import {
  type AddressDeps,
  addWithdrawalAddress,
  removeWithdrawalAddress,
  withdrawalAddresses,
} from '../../wallets/withdrawals/addresses.ts';
import {
  cancelWithdrawal,
  listWithdrawals,
  previewWithdrawal,
  type WithdrawalRequest,
  withdraw,
} from '../../wallets/withdrawals/withdraw.ts';
import { amountOf, type View } from '../context.ts';
import { Fault } from '../notices.ts';
import { checkView, moveView } from '../views/moving.ts';
import { belowWithdrawal } from '../views/withdraw.ts';
import { type TransactionUrl, withdrawalView } from '../views/withdrawals.ts';
import type { Frame, OwnExchange } from './frame.ts';
import { withdrawalOf } from './history.ts';
import {
  drawnAgain,
  factorFault,
  formKeyOf,
  type MovingDeps,
  moneyOf,
  moveFields,
  needsCode,
} from './moving.ts';
import { shownBy } from './prove.ts';

export type WithdrawDeps = MovingDeps & PayoutDeps & AddressDeps & { transactionUrl: TransactionUrl };

const shownWithdrawals = 10;

/** Withdrawals to an address. */
export function withdrawForms(frame: Frame, deps: WithdrawDeps): void {
  const { db, now } = deps;
  const show = (exchange: OwnExchange) => formView(deps, exchange);
  const check = (exchange: OwnExchange) => preview(deps, exchange);

  frame.ownPage('withdraw', show);
  frame.ownForm(
    'withdraw',
    async (exchange) => {
      if (exchange.field('confirm') !== 'yes') return await check(exchange);
      const { user } = exchange.session;
      const request = requestOf(exchange, formKeyOf(exchange));
      const proof = await shownBy(deps, exchange);
      if (user.hasFactor && needsCode(exchange, now()) && !exchange.field('code'))
        throw new Fault('faultFactor', 403);
      const ordered = await transaction(db, (tx) =>
        withdraw(tx, deps, { userId: user.id, proof }, request),
      ).catch((error: unknown) => {
        const needs = error instanceof Refusal && error.row === walletErrors.second_factor_required;
        throw needs ? new Fault(factorFault(exchange), 403) : error;
      });
      return { to: 'withdrawal', query: { id: ordered.id }, notice: 'withdrawOrdered' };
    },
    (exchange) => drawnAgain(exchange, check, show),
  );

  frame.ownPage('withdrawal', async (exchange) => {
    const payout = await withdrawalOf(db, exchange, exchange.field('id') ?? '');
    if (payout?.mode !== exchange.context.mode) return { to: 'withdraw' };
    return withdrawalView(exchange.context, payout, deps.transactionUrl);
  });
  frame.ownForm(
    'withdraw/cancel',
    async ({ field, session }) => {
      const { id } = await transaction(db, (tx) =>
        cancelWithdrawal(tx, deps, session.user.id, field('id') ?? ''),
      );
      return { to: 'withdrawal', query: { id }, notice: 'withdrawCancelled' };
    },
    show,
  );
  addressForms(frame, deps, show);
}

/** The addresses to which a user withdraws. */
function addressForms(
  frame: Frame,
  deps: WithdrawDeps,
  show: (exchange: OwnExchange) => Promise<View>,
): void {
  const { db, now, site } = deps;

  frame.ownForm(
    'withdraw/address',
    async (exchange) => {
      const { field, session, context } = exchange;
      const fields = moveFields(exchange);
      const asset = site.assets.of(context.mode).find(fields.asset);
      if (!asset) throw new Fault('faultNetwork', 400);
      const { to: address, memo } = fields;
      const wanted = {
        mode: context.mode,
        asset: asset.code,
        address,
        memo: memo || null,
        label: field('label') ?? '',
      };
      await transaction(db, (tx) => addWithdrawalAddress(tx, deps, session.user.id, wanted));
      return { to: 'withdraw', notice: 'addressAdded' };
    },
    show,
  );
  frame.ownForm(
    'withdraw/address-off',
    async ({ field, session }) => {
      await transaction(db, (tx) => removeWithdrawalAddress(tx, session.user.id, field('id') ?? '', now()));
      return { to: 'withdraw', notice: 'addressRemoved' };
    },
    show,
  );
}

async function formView(deps: WithdrawDeps, exchange: OwnExchange): Promise<View> {
  const { db, site, checks, isTaken } = deps;
  const { context, session } = exchange;
  const { mode } = context;
  const { id } = session.user;
  const [balances, addresses, withdrawals] = await Promise.all([
    balancesOf(db, { kind: 'user', owner: id, mode }),
    withdrawalAddresses(db, id, mode),
    listWithdrawals(db, id, mode, { before: null, limit: shownWithdrawals }),
  ]);
  const choices = site.assets.of(mode).all.filter(({ code }) => mode === 'test' || isTaken(code));
  const below = belowWithdrawal(context, { addresses, withdrawals, checks }, choices);
  return moveView(context, 'withdraw', { fields: moveFields(exchange), balances, below });
}

function requestOf(exchange: OwnExchange, formKey: string): WithdrawalRequest {
  const fields = moveFields(exchange);
  const money = moneyOf(exchange, fields);
  return { mode: exchange.context.mode, ...money, to: fields.to, memo: fields.memo || null, formKey };
}

/** What the withdrawal would cost, and the button that orders it. */
async function preview(deps: WithdrawDeps, exchange: OwnExchange): Promise<View> {
  const { db, now, site } = deps;
  const { context, session } = exchange;
  const { say, t } = context;
  const form = formKeyOf(exchange);
  const { payout, total } = await previewWithdrawal(db, deps, session.user.id, requestOf(exchange, form));
  const amount = amountOf(context, payout.asset, payout.units);
  const fields = moveFields(exchange);
  return checkView(context, 'withdraw', {
    title: say('withdrawCheck', { amount }),
    rows: [
      [t('address'), fields.to],
      fields.memo === '' ? null : [t('memo'), fields.memo],
      [t('network'), site.assets.get(payout.asset).network],
      [say('amount'), amount],
      [say('withdrawFee'), amountOf(context, payout.asset, payout.fee)],
      [say('withdrawTotal'), amountOf(context, payout.asset, total)],
    ],
    fields,
    form,
    needsCode: needsCode(exchange, now()),
    label: say('withdrawNow'),
    hint: say('withdrawFinal'),
  });
}
