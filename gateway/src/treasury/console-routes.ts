import { Type } from 'typebox';
import type { Change } from '../identity/audit/audit-log.ts';
import type { Console } from '../identity/console/console.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database, Reader } from '../kit/db/db.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import { Nothing } from '../kit/http/answers.ts';
import { fieldReader, invalid, queryReader } from '../kit/http/fields.ts';
import { pageById, pageFields } from '../kit/http/page-query.ts';
import { isUuid } from '../kit/ids.ts';
import type { Assets } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import type { Links } from '../rails/links.ts';
import { assignMove, type MoveOwner } from './assign.ts';
import { type TreasuryMove, TreasuryMovePage } from './console-answers.ts';
import { matchOrders } from './orders.ts';
import { type MoveLine, moveLines } from './read.ts';

export type TreasuryConsoleDeps = { db: Database; assets: Assets; links: Links; now: Clock };

const readPage = queryReader(
  Type.Object({ ...pageFields, state: Type.Optional(Type.Enum(['open', 'all'])) }),
);
const readOwner = fieldReader(
  Type.Object({
    owner: Type.Enum(['operator', 'business', 'user']),
    /** An integration's id, or a user's name. */
    of: Type.Optional(Type.String({ format: 'text', maxLength: 100 })),
    reason: Type.String({ format: 'text', minLength: 1, maxLength: 500, pattern: '\\S' }),
  }),
);

/** The moves into and out of treasuries and vaults, and assigning one that has no order. */
export function treasuryRoutes(dashboard: Console, deps: TreasuryConsoleDeps): void {
  const { db, assets, links, now } = deps;
  const decimal = (asset: string, units: bigint) => decimalOf(units, assets.find(asset)?.scale ?? 0);

  const lineView = (line: MoveLine): TreasuryMove => ({
    id: line.id,
    rail: line.rail,
    asset: line.asset,
    network: assets.find(line.asset)?.network ?? null,
    amount: decimal(line.asset, line.units),
    from: line.source,
    to: line.target,
    transaction: line.transaction,
    transaction_url: links.transaction(line.rail, line.transaction),
    sender: line.sender,
    receiver: line.receiver,
    receiver_url: links.account(line.rail, line.receiver),
    at: line.at.toISOString(),
    is_gone: line.state === 'gone',
    payout_id: line.payout_id,
    mode: line.mode,
    unknown_vault_ids: line.unknown_vault_ids,
    decision:
      line.owner_kind === null || line.decided_at === null
        ? null
        : {
            owner: line.owner_kind,
            owner_name: line.owner_name,
            at: line.decided_at.toISOString(),
            by: line.decided_by,
            reason: line.reason ?? '',
          },
  });

  dashboard.get('operator', '/treasury-moves', { answer: TreasuryMovePage }, async ({ query }) => {
    const { state = 'open', ...wanted } = readPage(query);
    await matchOrders(db);
    const page = await pageById(wanted, (rows) => moveLines(db, state, rows));
    return { message: 'Treasury moves', data: { ...page, items: page.items.map(lineView) } };
  });

  dashboard.propose(
    'POST',
    '/treasury-moves/:move/assign',
    { kind: 'treasury_move', title: 'Decide whose money left without an order', answer: Nothing },
    async (tx, { params: { move: id = '' }, by: { accountId }, body: sent }) => {
      if (!isUuid(id)) throw refuse(kitErrors.not_found);
      const body = readOwner(sent);
      const owner = await ownerOf(tx, body);
      const decision = { owner, accountId, reason: body.reason.trim() };
      const { transaction, asset, units } = await assignMove(tx, id, decision, now());
      const change: Change = {
        action: 'decided whose money left without an order',
        subject: { kind: 'treasury move', id },
        after: {
          ...{ transaction, amount: decimal(asset, units), asset, words: decision.reason },
          ...{ owner: owner.kind, of: body.of ?? null },
        },
        integrationId: owner.kind === 'business' ? owner.id : null,
      };
      return { message: 'Noted whose money it was', data: null, change };
    },
  );
}

async function ownerOf(reader: Reader, body: ReturnType<typeof readOwner>): Promise<MoveOwner> {
  const { owner: kind, of = '' } = body;
  if (kind === 'operator') return { kind };
  const { rows } = await reader.query<{ id: string }>(
    kind === 'business'
      ? 'SELECT id FROM integrations WHERE id::text = $1'
      : 'SELECT id FROM users WHERE username = $1',
    [of.trim()],
  );
  const [found] = rows;
  if (!found)
    throw invalid('of', kind === 'business' ? 'is the id of no integration' : 'is the name of no user');
  return { kind, id: found.id };
}
