import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { decimalOf } from '../../money/money.ts';
import { type HandExport, handFileKinds } from '../../rails/by-hand.ts';
import { exportFile, exportPayouts, handNetworks, takeBackExport } from '../lifecycle/by-hand.ts';
import { HandNetworkPage, PayoutExport } from './console-hand-answers.ts';
import type { PayoutConsoleDeps } from './console-routes.ts';

const readNetwork = fieldReader(
  Type.Object({ rail: Type.String({ minLength: 1, maxLength: 100, format: 'text' }) }),
);
const readKind = queryReader(Type.Object({ kind: Type.Enum([...handFileKinds]) }));

/** Payouts that an operator exports, to be paid by hand or by a Safe. */
export function payoutHandRoutes(dashboard: Console, deps: PayoutConsoleDeps): void {
  const { db, assets } = deps;

  dashboard.get('operator', '/payout-exports', { answer: HandNetworkPage }, async () => {
    const items = (await handNetworks(db, deps)).map(({ exportable, exports, ...network }) => ({
      ...network,
      exportable: exportable.map(({ asset, count, units }) => ({
        ...{ asset, count, amount: decimalOf(units, assets.find(asset)?.scale ?? 0) },
      })),
      exports: exports.map(viewOf),
    }));
    return { message: 'Payouts by hand', data: { items, next_cursor: null } };
  });

  dashboard.write(
    'POST',
    'operator',
    '/payout-exports',
    { fresh: true, answer: PayoutExport },
    async (tx, { body, session }) => {
      const { rail } = readNetwork(body);
      const made = await exportPayouts(tx, deps, rail, session.account.email);
      return { message: 'Payouts exported', data: viewOf(made), change: exportedChange(rail, made) };
    },
  );

  dashboard.download(
    'operator',
    '/payout-exports/:export/file',
    {},
    async ({ params: { export: id = '' }, query, reply }) => {
      const { name, type, text } = await exportFile(db, deps, id, readKind(query).kind);
      // As bytes: a text would be written as JSON once more.
      const bytes = Buffer.from(text);
      return reply.header('content-disposition', `attachment; filename="${name}"`).type(type).send(bytes);
    },
  );

  dashboard.write(
    'POST',
    'operator',
    '/payout-exports/:export/take-back',
    { fresh: true, answer: Nothing },
    async (tx, { params: { export: id = '' } }) => {
      const { rail, count } = await takeBackExport(tx, deps, id);
      return { message: 'Export taken back', data: null, change: takenBackChange(rail, id, count) };
    },
  );
}

/** The entry of an export in the audit log. */
export function exportedChange(rail: string, { id, orders }: HandExport) {
  const subject = { kind: 'payout export', id };
  return { action: 'exported payouts to be paid by hand', subject, after: { rail, payouts: orders } };
}

/** The entry of what was taken back of one. */
export function takenBackChange(rail: string, id: string, count: number) {
  const subject = { kind: 'payout export', id };
  return { action: 'took exported payouts back', subject, after: { rail, payouts: count } };
}

function viewOf({ orders, canTakeBack, canUseUp, ...made }: HandExport) {
  return { ...made, payouts: orders, can_take_back: canTakeBack, can_use_up: canUseUp };
}
