import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { apiKeyOf, type Guards, idempotencyScope } from '../../identity/keys/guards.ts';
import type { Database } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { answers, Decimal, named, orNull, pageSchema, Time } from '../../kit/http/answers.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../kit/http/cursor.ts';
import { isCleanText, queryReader } from '../../kit/http/fields.ts';
import { envelope, idempotencyKeyOf, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { replayOr } from '../../kit/http/idempotency.ts';
import { balancesOf, entriesOf } from '../../ledger/ledger.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { valuesOf } from '../books/values.ts';
import { walletErrors } from '../errors.ts';
import { FundUserBody, fundUser, fundUserReader, limitingGuesses } from '../fund-user.ts';
import type { WalletBackend } from '../wallet-backend.ts';

export type WalletRouteDeps = { db: Database; guards: Guards; assets: Assets; wallets: WalletBackend };

const EntriesQuery = Type.Object(
  {
    asset: Type.Optional(Type.String({ maxLength: 40, format: 'text' })),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  },
  named('BalanceEntryFilter', 'Which lines of the ledger, and which page.'),
);
const BalanceItem = Type.Object(
  { asset: Type.String(), available: Decimal, held: Decimal },
  named(
    'Balance',
    'The business balance in one asset; decimal strings. `held` waits for the answer of another system.',
  ),
);
const EntryItem = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    asset: Type.String(),
    amount: Decimal,
    cause: Type.String(),
    cause_id: orNull(Type.String({ description: 'The payment, where there is one.' })),
    value: orNull(
      Type.String({
        description:
          'What the line was worth in its moment, in the accounting currency of that time, as a signed decimal string. It never changes. Null: there was no rate.',
      }),
    ),
    value_currency: orNull(Type.String({ description: 'The accounting currency of that time.' })),
    created_at: Time,
  },
  named('BalanceEntry', 'A line of the ledger with what caused it; `amount` is a signed decimal string.'),
);
const KnownUser = Type.Object({ username: Type.String({ description: 'As it was asked for.' }) });
const readEntriesQuery = queryReader(EntriesQuery);

/** fund-user and the merchant's own balances (contract.md#payments and #calls). */
export function walletRoutes(app: FastifyInstance, deps: WalletRouteDeps): void {
  fundingRoutes(app, deps);
  balanceRoutes(app, deps);
}

function fundingRoutes(app: FastifyInstance, { db, guards, assets, wallets }: WalletRouteDeps): void {
  const readFundUser = { test: fundUserReader(assets.of('test')), live: fundUserReader(assets.of('live')) };

  app.post(
    '/payment/fund-user',
    {
      onRequest: guards.key('fund users'),
      schema: {
        tags: ['Wallets'],
        operationId: 'fundUser',
        'x-moves-money': true,
        sdk: 'fundUser({body}, {key})',
        summary: "Credit a user's wallet from the business balance",
        description: 'Moves the whole amount at once, or nothing. The user must have a wallet.',
        body: FundUserBody,
        response: answers(Type.Null()),
      },
    },
    async (request, reply) => {
      const asking = apiKeyOf(request);
      const { integration, mode, allowance } = asking;
      const key = idempotencyKeyOf(request, idempotencyScope(asking, 'fund-user'));
      const answer = await replayOr(db, key, () => {
        const input = readFundUser[mode](request.body);
        const caller = { keyId: asking.id, address: request.ip };
        const order = { integration, mode, input, key, allowance, caller };
        return limitingGuesses(guards, integration.id, () => fundUser(wallets, order));
      });
      return sendAnswer(reply, answer);
    },
  );

  app.get<{ Params: { username: string } }>(
    '/users/:username',
    {
      onRequest: guards.key('fund users'),
      schema: {
        tags: ['Wallets'],
        operationId: 'getUser',
        sdk: 'users.get({username})',
        summary: 'Whether a user has a wallet',
        description: 'Answers 404 where nobody has this name. The case of letters does not matter.',
        params: Type.Object({ username: Type.String() }),
        response: answers(KnownUser),
      },
    },
    async (request, reply) => {
      const { username } = request.params;
      await limitingGuesses(guards, apiKeyOf(request).integration.id, async () => {
        const isKnown = isCleanText(username) && (await wallets.hasUser(username));
        if (!isKnown) throw refuse(walletErrors.user_not_found);
      });
      return sendEnvelope(reply, envelope('User', { username }));
    },
  );
}

function balanceRoutes(app: FastifyInstance, { db, guards, assets }: WalletRouteDeps): void {
  app.get(
    '/balances',
    {
      onRequest: guards.key('read balances'),
      schema: {
        tags: ['Balances'],
        operationId: 'listBalances',
        sdk: 'balances.list()',
        summary: 'The business balance in every asset',
        description: '`held` is the part that waits for a payout or for another system.',
        response: answers(pageSchema(BalanceItem)),
      },
    },
    async (request, reply) => {
      const { integration, mode } = apiKeyOf(request);
      const stored = await balancesOf(db, { kind: 'business', owner: integration.id, mode });
      const found = new Map(stored.map((balance) => [balance.asset, balance]));
      const items = assets.of(mode).all.map(({ code, scale }) => ({
        asset: code,
        available: decimalOf(found.get(code)?.available ?? 0n, scale),
        held: decimalOf(found.get(code)?.held ?? 0n, scale),
      }));
      return sendEnvelope(reply, envelope('Balances', { items, next_cursor: null }));
    },
  );

  app.get(
    '/balance-entries',
    {
      onRequest: guards.key('read balances'),
      schema: {
        tags: ['Balances'],
        operationId: 'listBalanceEntries',
        sdk: 'balanceEntries.list({query})',
        summary: "The business balance's ledger lines, newest first",
        description: 'Every movement of the business balance, with what caused it.',
        querystring: EntriesQuery,
        response: answers(pageSchema(EntryItem)),
      },
    },
    async (request, reply) => {
      const { integration, mode } = apiKeyOf(request);
      const query = readEntriesQuery(request.query);
      const limit = query.limit ?? 20;
      const [before] = query.cursor ? decodeCursor(query.cursor, [/^\d{1,18}$/]) : [];
      const entries = await entriesOf(
        db,
        { kind: 'business', owner: integration.id, mode },
        {
          asset: query.asset ?? null,
          beforeSeq: before === undefined ? null : BigInt(before),
          limit: limit + 1,
        },
      );
      const page = pageOf(entries, limit, (entry) => encodeCursor([entry.seq]));
      const values = await valuesOf({ db, assets }, { integrationId: integration.id, mode }, page.items);
      const items = page.items.map((entry, index) => ({
        id: entry.transfer,
        asset: entry.asset,
        amount: decimalOf(entry.units, assets.get(entry.asset).scale),
        cause: entry.cause,
        cause_id: entry.cause_id,
        value: values[index]?.net ?? null,
        value_currency: values[index]?.currency ?? null,
        created_at: entry.created_at.toISOString(),
      }));
      return sendEnvelope(reply, envelope('Balance entries', { items, next_cursor: page.next_cursor }));
    },
  );
}
