import { Type } from 'typebox';
import type { Change } from '../../identity/audit/audit-log.ts';
import type { Console } from '../../identity/console/console.ts';
import type { Database } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader, invalid, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { Sending } from '../../rails/rail.ts';
import { maxMessageLength } from '../appeals/messages.ts';
import type { StateDeps } from '../payment/state.ts';
import { livePaymentIdsOf } from '../read/by-id.ts';
import { type Explorers, senderUrl, transactionUrl } from '../read/explorers.ts';
import { assignUnmatched, findUnmatched, keepUnmatched } from '../unmatched/assign.ts';
import type { Proof } from '../unmatched/proofs.ts';
import { type DepositMatch, depositMatches, type UnmatchedLine, unmatchedLines } from '../unmatched/read.ts';
import { AssignedDeposit, DepositMatchPage, UnmatchedPage } from './console-answers/operators.ts';

export type UnmatchedConsoleDeps = StateDeps & {
  db: Database;
  explorers: Explorers;
  /** The rails that the gateway has a key for. */
  sendings: readonly Sending[];
};

const readPage = queryReader(
  Type.Object({ ...pageFields, state: Type.Optional(Type.Enum(['open', 'decided'])) }),
);
const words = { format: 'text', minLength: 1, maxLength: maxMessageLength, pattern: '\\S' };
const readReason = fieldReader(Type.Object({ reason: Type.String(words) }));
const readAssignment = fieldReader(
  Type.Object({
    payment_reference: Type.String({ format: 'text', maxLength: 100 }),
    reason: Type.String(words),
  }),
);

/** Money that came without naming a payment: what it may be for, and an operator's decision about it. */
export function unmatchedRoutes(dashboard: Console, deps: UnmatchedConsoleDeps): void {
  listRoutes(dashboard, deps);
  decisionRoutes(dashboard, deps);
}

const decimalIn =
  ({ assets }: Pick<UnmatchedConsoleDeps, 'assets'>) =>
  (asset: string, units: bigint): string =>
    decimalOf(units, assets.find(asset)?.scale ?? 0);

/** Deposits and what they may be for, as the dashboard shows them. */
function viewsOf(deps: UnmatchedConsoleDeps) {
  const { assets, explorers, sendings } = deps;
  const decimal = decimalIn(deps);

  const sentBackView = ({ rail, sent_memo, sent_transaction }: UnmatchedLine, to: string) => ({
    to,
    to_url: senderUrl(explorers, { rail, sender: to }),
    memo: sent_memo,
    transaction: sent_transaction,
    transaction_url: sent_transaction === null ? null : transactionUrl(explorers, rail, sent_transaction),
  });

  const lineView = (line: UnmatchedLine) => ({
    id: line.id,
    rail: line.rail,
    asset: line.asset,
    network: assets.find(line.asset)?.network ?? null,
    amount: decimal(line.asset, line.units),
    transaction: line.transaction,
    transaction_url: transactionUrl(explorers, line.rail, line.transaction),
    sender: line.sender,
    sender_url: senderUrl(explorers, line),
    memo: line.memo,
    arrived_at: line.at.toISOString(),
    state: line.state,
    claims: line.claims,
    proofs: line.proofs,
    mode: line.mode,
    can_send: sendings.some(({ rail }) => rail === line.rail),
    fault: line.fault,
    sent_back: line.sent_to === null ? null : sentBackView(line, line.sent_to),
    decided_at: line.decided_at?.toISOString() ?? null,
    decided_by: line.decider,
    reason: line.reason,
    payment:
      line.reference === null
        ? null
        : {
            reference: line.reference,
            status: line.status,
            integration_id: line.integration_id,
            integration_name: line.integration_name,
          },
  });

  const proofView = (rail: string, { asset, units, at, ...proof }: Proof) => ({
    ...proof,
    asset,
    amount: decimal(asset, units),
    transaction_url: transactionUrl(explorers, rail, proof.transaction),
    arrived_at: at.toISOString(),
  });

  const matchView = (
    rail: string,
    { amount_due, created_at, claimed_at, proof, ...match }: DepositMatch,
  ) => ({
    ...match,
    amount_due: decimalOf(amount_due, currencyScale[match.currency]),
    created_at: created_at.toISOString(),
    claimed_at: claimed_at?.toISOString() ?? null,
    proof: proof && proofView(rail, proof),
  });
  return { lineView, matchView };
}

function listRoutes(dashboard: Console, deps: UnmatchedConsoleDeps): void {
  const { db, assets } = deps;
  const { lineView, matchView } = viewsOf(deps);

  dashboard.get('operator', '/strays', { answer: UnmatchedPage }, async ({ query }) => {
    const { state = 'open', ...asked } = readPage(query);
    const page = await pageById(asked, (rows) => unmatchedLines(db, state, rows));
    return { message: 'Unmatched deposits', data: { ...page, items: page.items.map(lineView) } };
  });

  dashboard.get('operator', '/strays/:deposit/matches', { answer: DepositMatchPage }, async ({ params }) => {
    const deposit = await findUnmatched(db, idOf(params.deposit));
    const items = (await depositMatches(db, assets, deposit)).map((match) => matchView(deposit.rail, match));
    return { message: 'Likely matches', data: { items, next_cursor: null } };
  });
}

function decisionRoutes(dashboard: Console, deps: UnmatchedConsoleDeps): void {
  const decimal = decimalIn(deps);

  dashboard.propose(
    'POST',
    '/strays/:deposit/assign',
    { kind: 'stray_assign', title: 'Assign money that named no payment', answer: AssignedDeposit },
    async (tx, { params, body, by: asker }) => {
      const id = idOf(params.deposit);
      const { payment_reference: reference, reason } = readAssignment(body);
      const deposit = await findUnmatched(tx, id);
      const paymentId = (await livePaymentIdsOf(tx, [reference])).get(reference);
      if (paymentId === undefined) throw invalid('payment_reference', 'is the reference of no live payment');
      const by = { accountId: asker.accountId, reason: reason.trim() };
      const payment = await assignUnmatched(tx, deps, id, { paymentId, by });
      const { transaction, asset, units } = deposit;
      const change: Change = {
        action: 'assigned money that named no payment',
        subject: { kind: 'payment', id: payment.id },
        after: {
          ...{ transaction, amount: decimal(asset, units), asset, words: by.reason },
          payment_status: payment.status,
        },
        integrationId: payment.integrationId,
      };
      const data = { reference, payment_status: payment.status };
      return { message: 'Money assigned', data, change: deposit.state === 'open' ? change : null };
    },
  );

  dashboard.propose(
    'POST',
    '/strays/:deposit/keep',
    { kind: 'stray_keep', title: "Note money that named no payment as the operator's own", answer: Nothing },
    async (tx, { params, body, by: asker }) => {
      const id = idOf(params.deposit);
      const { reason } = readReason(body);
      const by = { accountId: asker.accountId, reason: reason.trim() };
      const { transaction, asset, units } = await keepUnmatched(tx, id, by, deps.now());
      const change: Change = {
        action: "noted that money is the operator's own",
        subject: { kind: 'stray', id },
        after: { transaction, amount: decimal(asset, units), asset, words: by.reason },
      };
      return { message: 'Money noted as your own', data: null, change };
    },
  );
}

function idOf(text: string | undefined): string {
  if (text === undefined || !isUuid(text)) throw refuse(kitErrors.not_found);
  return text;
}
