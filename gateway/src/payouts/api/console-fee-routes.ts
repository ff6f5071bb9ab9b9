import { Type } from 'typebox';
import type { Change } from '../../identity/audit/audit-log.ts';
import type { Console } from '../../identity/console/console.ts';
import { refuse } from '../../kit/errors.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { feeTotals } from '../../ledger/totals.ts';
import { decimalOf } from '../../money/money.ts';
import { sendingFor } from '../../rails/sending-for.ts';
import { withdrawFees } from '../fees/withdraw.ts';
import { assertFeeWithdrawal, listFeeWithdrawals } from '../fees/withdrawals.ts';
import { cancelPayout } from '../lifecycle/cancel.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { Payout } from '../payout/payout.ts';
import { viewsOf } from '../payout/read.ts';
import { FeePage, FeeWithdrawal, FeeWithdrawalPage } from './console-fee-answers.ts';
import type { PayoutRouteDeps } from './routes.ts';
import { destinationParsers, moneyParsers, PayoutBody } from './schema.ts';

const { asset, amount, to, memo } = PayoutBody.properties;
const Body = Type.Object({ asset, amount, to, memo });
const readPage = queryReader(Type.Object(pageFields));

/** The operator's fees, and their withdrawal to an address of the operator's. */
export function feeConsoleRoutes(dashboard: Console, deps: PayoutRouteDeps): void {
  const { db, assets, sendings } = deps;
  const readBody = fieldReader(
    Body,
    {},
    { ...moneyParsers(assets), ...destinationParsers(assets, deps.faultOf('live')) },
  );
  const changeOf = (action: string, { id, asset: code, units, to: sentTo, memo: mark }: Payout): Change => ({
    action,
    subject: { kind: 'payout', id },
    after: { amount: decimalOf(units, assets.get(code).scale), asset: code, to: sentTo, memo: mark },
  });

  dashboard.get('operator', '/fees', { answer: FeePage }, async () => {
    const items = [];
    for (const { asset: code, earned, leaving } of await feeTotals(db, 'live')) {
      const known = assets.find(code);
      const sending = sendingFor(sendings, 'live', code);
      const decimal = (units: bigint): string => decimalOf(units, known?.scale ?? 0);
      items.push({
        ...{ asset: code, currency: known?.currency ?? null, network: known?.network ?? null },
        ...{ earned: decimal(earned), leaving: decimal(leaving) },
        why_not: sending ? await sending.unavailable(db, code) : 'this installation has no key that sends it',
      });
    }
    return { message: 'Fees', data: { items, next_cursor: null } };
  });

  dashboard.get('operator', '/fee-withdrawals', { answer: FeeWithdrawalPage }, async ({ query }) => {
    const page = await pageById(readPage(query), (rows) => listFeeWithdrawals(db, rows));
    return {
      message: 'Withdrawals of fees',
      data: { ...page, items: await viewsOf(db, assets, page.items) },
    };
  });

  dashboard.propose(
    'POST',
    '/fee-withdrawals',
    { kind: 'fee_withdrawal', title: 'Withdraw fees', answer: FeeWithdrawal, isKeyed: true },
    async (tx, { body, by, isConfirmed }) => {
      const { asset: known, amount: units, to: sentTo, memo: mark = null } = readBody(body);
      const requester = { ...by, limits: null, isConfirmed };
      const wanted = { asset: known, units, to: sentTo, memo: mark };
      const payout = await withdrawFees(tx, deps, wanted, requester);
      const change = changeOf('ordered fees to be withdrawn', payout);
      return { message: 'Withdrawal ordered', data: { id: payout.id, status: payout.status }, change };
    },
  );

  dashboard.write(
    'POST',
    'operator',
    '/fee-withdrawals/:payout/cancel',
    { fresh: true, answer: FeeWithdrawal },
    async (tx, { params: { payout: id = '' } }) => {
      if (!isUuid(id)) throw refuse(payoutErrors.payout_not_found);
      await assertFeeWithdrawal(tx, id);
      const payout = await cancelPayout(tx, deps, id);
      const change = changeOf('cancelled a withdrawal of fees', payout);
      return { message: 'Withdrawal cancelled', data: { id, status: payout.status }, change };
    },
  );
}
