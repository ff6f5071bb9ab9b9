import { Type } from 'typebox';
import type { Call, Console } from '../../identity/console/console.ts';
import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../kit/http/cursor.ts';
import { fieldReader, invalid, queryReader } from '../../kit/http/fields.ts';
import { defaultPageLimit, pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import { linesOf } from '../../ledger/lines.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { endUserSessions, userSessions } from '../accounts/sessions.ts';
import { BalanceLinePage } from '../console-answers.ts';
import { lineViews } from '../described-lines.ts';
import { limitedActions, setWalletLimit, walletLimits } from '../limits.ts';
import { levels } from '../standing.ts';
import type { UserId } from '../users.ts';
import { listWithdrawals } from '../withdrawals/withdraw.ts';
import {
  AnsweredLevel,
  ChangedLimit,
  EndedSessions,
  UserWithdrawalPage,
  WalletLimitPage,
  WalletUserDetail,
  WalletUserPage,
} from './answers.ts';
import { searchUsers, type UserDetail, type UserLine, userDetail } from './directory.ts';
import { askForLevel, type ProviderDeps } from './provider.ts';
import { freezeUser, setLevel, unfreezeUser } from './standing-changes.ts';

export type UserConsoleDeps = ProviderDeps & { assets: Assets };

const SearchQuery = Type.Object({
  ...pageFields,
  search: Type.Optional(Type.String({ maxLength: 100, format: 'text' })),
  frozen: Type.Optional(Type.Enum(['yes'])),
});
const readSearch = queryReader(SearchQuery);
const ModeQuery = Type.Object({ ...pageFields, mode: Type.Optional(Type.Enum(['test', 'live'])) });
const readModeQuery = queryReader(ModeQuery);
const reason = Type.String({ minLength: 1, maxLength: 1_000, format: 'text' });
const readReason = fieldReader(Type.Object({ reason }));
const UserLevel = Type.Enum(levels);
const readLevel = fieldReader(Type.Object({ level: UserLevel, reason }));
const LimitBody = Type.Object({
  level: UserLevel,
  action: Type.Enum(limitedActions),
  asset: Type.String({ maxLength: 40, format: 'text' }),
  /** Absent: no limit. */
  amount: Type.Optional(Type.String({ maxLength: 100 })),
});
const readLimit = fieldReader(LimitBody);

/** For operators: the users of wallets, what they have and did, and what may be done with a wallet. */
export function userConsoleRoutes(dashboard: Console, deps: UserConsoleDeps): void {
  readRoutes(dashboard, deps);
  standingRoutes(dashboard, deps);
  limitRoutes(dashboard, deps);
}

function standingRoutes(dashboard: Console, deps: UserConsoleDeps): void {
  const { now } = deps;

  dashboard.write(
    'POST',
    'operator',
    '/users/:user/freeze',
    { fresh: true, answer: WalletUserDetail },
    async (tx, { params, body }) => {
      const [id, { reason: why }] = [userIdOf(params), readReason(body)];
      await freezeUser(tx, id, why, now());
      const change = { action: 'froze a wallet', ...aboutUser(id), after: { reason: why } };
      return { message: 'Wallet frozen', data: await detailView(tx, deps, id), change };
    },
  );

  dashboard.write(
    'POST',
    'operator',
    '/users/:user/unfreeze',
    { fresh: true, answer: WalletUserDetail },
    async (tx, { params, body }) => {
      const [id, { reason: why }] = [userIdOf(params), readReason(body)];
      const before = { reason: await unfreezeUser(tx, id, now()) };
      const change = { action: 'unfroze a wallet', ...aboutUser(id), before, after: { reason: why } };
      return { message: 'Wallet unfrozen', data: await detailView(tx, deps, id), change };
    },
  );

  dashboard.write(
    'POST',
    'operator',
    '/users/:user/level',
    { fresh: true, answer: WalletUserDetail },
    async (tx, { params, body }) => {
      const [id, { level, reason: why }] = [userIdOf(params), readLevel(body)];
      const before = await setLevel(tx, id, level, now());
      const change = {
        action: 'changed the level of a user',
        ...aboutUser(id),
        before: { level: before },
        after: { level, reason: why },
      };
      return {
        message: 'Level changed',
        data: await detailView(tx, deps, id),
        change: before === level ? null : change,
      };
    },
  );

  dashboard.act(
    'POST',
    'operator',
    '/users/:user/ask-level',
    { fresh: true, answer: AnsweredLevel },
    async ({ params }: Call<'operator'>, record) => {
      const data = await askForLevel(deps, userIdOf(params), record);
      return { message: 'Level asked for', data };
    },
  );

  // Without a fresh sign-in: whoever sees something wrong can stop at once.
  dashboard.write(
    'POST',
    'operator',
    '/users/:user/end-sessions',
    { answer: EndedSessions },
    async (tx, { params }) => {
      const id = userIdOf(params);
      await knownUser(tx, id);
      const ended = await endUserSessions(tx, id);
      const change = { action: 'ended the sessions of a user', ...aboutUser(id), after: { ended } };
      return { message: 'Sessions ended', data: { ended }, change };
    },
  );
}

function limitRoutes(dashboard: Console, { assets, now }: UserConsoleDeps): void {
  dashboard.write(
    'PUT',
    'operator',
    '/wallet-limits',
    { fresh: true, answer: ChangedLimit },
    async (tx, { body }) => {
      const { level, action, asset: code, amount } = readLimit(body);
      const asset = assets.find(code);
      if (!asset) throw invalid('asset', 'must be an asset');
      const units = amount === undefined ? null : unitsOfDecimal(amount, asset.scale);
      if (amount !== undefined && units === null) {
        throw invalid('amount', `must be a decimal number with at most ${asset.scale} decimals`);
      }
      const before = await setWalletLimit(tx, { level, action, asset: asset.code, units }, now());
      const viewOf = (of: bigint | null) => (of === null ? null : decimalOf(of, asset.scale));
      const change = {
        action: 'changed a limit of wallets',
        subject: { kind: 'level', id: `${level}` },
        before: { action, asset: asset.code, amount: viewOf(before) },
        after: { action, asset: asset.code, amount: viewOf(units) },
      };
      return {
        message: 'Limit changed',
        data: { level, action, asset: asset.code, amount: viewOf(units) },
        change,
      };
    },
  );
}

function readRoutes(dashboard: Console, deps: UserConsoleDeps): void {
  const { db, assets } = deps;

  dashboard.get('operator', '/users', { answer: WalletUserPage }, async ({ query }) => {
    const { search = '', frozen, ...page } = readSearch(query);
    const wanted = { search: search.trim(), isFrozen: frozen === 'yes' };
    const found = await pageById(page, (rows) => searchUsers(db, { ...wanted, ...rows }));
    return { message: 'Users', data: { ...found, items: found.items.map(lineView) } };
  });

  dashboard.get('operator', '/users/:user', { answer: WalletUserDetail }, async ({ params }) => {
    return { message: 'User', data: await detailView(db, deps, userIdOf(params)) };
  });

  dashboard.get('operator', '/users/:user/lines', { answer: BalanceLinePage }, async ({ params, query }) => {
    const id = userIdOf(params);
    await knownUser(db, id);
    const { cursor, limit = defaultPageLimit, mode = 'live' } = readModeQuery(query);
    const [before] = cursor === undefined ? [] : decodeCursor(cursor, [/^\d{1,18}$/]);
    const lines = await linesOf(
      db,
      { kind: 'user', owner: id, mode },
      {},
      { beforeSeq: before === undefined ? null : BigInt(before), limit: limit + 1 },
    );
    const page = pageOf(lines, limit, ({ seq }) => encodeCursor([seq]));
    const items = await lineViews(db, assets, page.items);
    return { message: 'Entries of a wallet', data: { items, next_cursor: page.next_cursor } };
  });

  dashboard.get(
    'operator',
    '/users/:user/withdrawals',
    { answer: UserWithdrawalPage },
    async ({ params, query }) => {
      const id = userIdOf(params);
      await knownUser(db, id);
      const { mode = 'live', ...page } = readModeQuery(query);
      const found = await pageById(page, (rows) => listWithdrawals(db, id, mode, rows));
      const items = found.items.map((payout) => {
        const { scale } = assets.get(payout.asset);
        const { to, memo, status, transaction } = payout;
        return {
          ...{ id: payout.id, asset: payout.asset, to, memo, status, transaction },
          amount: decimalOf(payout.units, scale),
          fee: decimalOf(payout.fee, scale),
          failure: payout.failure ?? payout.heldUp,
          created_at: payout.createdAt.toISOString(),
        };
      });
      return { message: 'Withdrawals', data: { items, next_cursor: found.next_cursor } };
    },
  );

  dashboard.get('operator', '/wallet-limits', { answer: WalletLimitPage }, async () => {
    const items = (await walletLimits(db)).flatMap(({ units, ...limit }) => {
      const asset = assets.find(limit.asset);
      return asset ? [{ ...limit, amount: decimalOf(units, asset.scale) }] : [];
    });
    return { message: 'Limits of wallets', data: { items, next_cursor: null } };
  });
}

const aboutUser = (id: UserId) => ({ subject: { kind: 'user', id } });

function userIdOf({ user = '' }: Record<string, string>): UserId {
  if (!isUuid(user)) throw refuse(kitErrors.not_found);
  return user as UserId;
}

type AnyReader = Pick<Tx, 'query'>;

async function knownUser(reader: AnyReader, id: UserId): Promise<UserDetail> {
  const found = await userDetail(reader, id);
  if (!found) throw refuse(kitErrors.not_found);
  return found;
}

function lineView({ frozen_at, created_at, id, username, level }: UserLine) {
  const frozenAt = frozen_at?.toISOString() ?? null;
  return { id, username, level, frozen_at: frozenAt, created_at: created_at.toISOString() };
}

async function detailView(reader: AnyReader, { assets, provider, now }: UserConsoleDeps, id: UserId) {
  const user = await knownUser(reader, id);
  const sessions = (await userSessions(reader, id, now())).map(({ created_at, seen_at, ...session }) => {
    return { ...session, created_at: created_at.toISOString(), seen_at: seen_at.toISOString() };
  });
  const balances = [];
  for (const mode of ['live', 'test'] as const) {
    const debts = await balancesOf(reader, { kind: 'receivable', owner: id, mode });
    for (const { asset, available, held } of await balancesOf(reader, { kind: 'user', owner: id, mode })) {
      const decimal = (units: bigint): string => decimalOf(units, assets.get(asset).scale);
      const debt = debts.find((each) => each.asset === asset)?.available ?? 0n;
      balances.push({
        ...{ mode, asset, available: decimal(available), held: decimal(held), owed: decimal(-debt) },
      });
    }
  }
  return {
    ...lineView(user),
    frozen_why: user.frozen_why,
    has_second_factor: user.has_second_factor,
    ...{ balances, sessions, has_provider: provider !== null },
  };
}
