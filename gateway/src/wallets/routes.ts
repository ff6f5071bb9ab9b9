import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { AllowanceClaim } from '../identity/allowance.ts';
import { identityErrors } from '../identity/errors.ts';
import { apiKeyOf, type Guards, idempotencyScope } from '../identity/guards.ts';
import type { ApiKey } from '../identity/keys.ts';
import { answers, Decimal, orNull, pageSchema, Time } from '../kit/answers.ts';
import { type Asset, type Assets, currencyScale } from '../kit/assets.ts';
import { decodeCursor, encodeCursor, pageOf } from '../kit/cursor.ts';
import type { Database } from '../kit/db.ts';
import { refuse } from '../kit/errors.ts';
import { type FieldJudge, fieldReader, isCleanText, queryReader } from '../kit/fields.ts';
import { envelope, idempotencyKeyOf, sendAnswer, sendEnvelope } from '../kit/http.ts';
import { replayOr } from '../kit/idempotency.ts';
import { decimalOf, rescale, unitsOfDecimal } from '../kit/money.ts';
import { balancesOf, entriesOf } from '../ledger/service.ts';
import { amountUnits, judgeAmount } from '../payments/amount.ts';
import { paymentErrors } from '../payments/errors.ts';
import { walletErrors } from './errors.ts';
import type { WalletBackend } from './wallet-backend.ts';

export type WalletRouteDeps = { db: Database; guards: Guards; assets: Assets; wallets: WalletBackend };

const FundUserBody = Type.Object({
  username: Type.String({ description: 'Who receives the money.' }),
  amount: Type.Number({ exclusiveMinimum: 0, description: 'In the currency itself.' }),
  currency: Type.String({ description: 'An asset code in lower case, such as pi or usdt-bep20.' }),
});

const EntriesQuery = Type.Object({
  asset: Type.Optional(Type.String({ maxLength: 40, format: 'text' })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});
const BalanceItem = Type.Object({ asset: Type.String(), available: Decimal, held: Decimal });
const EntryItem = Type.Object({
  id: Type.String({ format: 'uuid' }),
  asset: Type.String(),
  amount: Decimal,
  cause: Type.String(),
  cause_id: orNull(Type.String({ description: 'The payment, where there is one.' })),
  created_at: Time,
});
const readEntriesQuery = queryReader(EntriesQuery);

const usernameJudge: FieldJudge = (value) =>
  typeof value === 'string' && value.length <= 255 && isCleanText(value)
    ? null
    : refuse(walletErrors.username_required);

/** Reads the body of fund-user; the asset's registry says which codes there are. */
function fundUserReader(assets: Assets) {
  const assetOf = (code: unknown) => (typeof code === 'string' ? assets.find(code) : undefined);
  return fieldReader(FundUserBody, {
    username: usernameJudge,
    amount: (value, input) => judgeAmount(value, assetOf(input.currency)?.currency),
    currency: (value) => {
      if (value === undefined) return refuse(paymentErrors.currency_required);
      return assetOf(value) ? null : refuse(paymentErrors.currency_unsupported);
    },
  });
}

/** What a funding takes of the key's daily limit, where it has one. */
function allowanceClaim({ allowance }: ApiKey, asset: Asset, units: bigint): AllowanceClaim | undefined {
  if (!allowance) return undefined;
  const { code, scale } = asset;
  const limit = unitsOfDecimal(allowance.limits[code] ?? '0', scale) ?? 0n;
  return { allowanceId: allowance.id, asset: code, scale, limit, units };
}

/** fund-user and the merchant's own balances (contract.md 2 and 7). */
export function walletRoutes(app: FastifyInstance, { db, guards, assets, wallets }: WalletRouteDeps): void {
  const readFundUser = fundUserReader(assets);
  const done = envelope('User wallet funded successfully', null);

  app.post(
    '/payment/fund-user',
    {
      onRequest: guards.key('fund users'),
      schema: {
        tags: ['Wallets'],
        summary: "Credit a user's wallet from the business balance",
        body: FundUserBody,
        response: answers(Type.Null()),
      },
    },
    async (request, reply) => {
      const caller = apiKeyOf(request);
      const { integration, mode } = caller;
      const key = idempotencyKeyOf(request, idempotencyScope(caller, 'fund-user'));
      const answer = await replayOr(db, key, () => {
        const input = readFundUser(request.body);
        if (mode === 'live' && integration.approval !== 'approved') throw refuse(identityErrors.not_approved);
        const asset = assets.get(input.currency);
        const amount = amountUnits(input.amount, asset.currency);
        const units = rescale(amount, currencyScale[asset.currency], asset.scale);
        return wallets.fund({
          integrationId: integration.id,
          mode,
          username: input.username,
          asset: asset.code,
          units,
          allowance: allowanceClaim(caller, asset, units),
          key,
          response: done,
        });
      });
      return sendAnswer(reply, answer);
    },
  );

  app.get(
    '/balances',
    {
      onRequest: guards.key('read balances'),
      schema: {
        tags: ['Balances'],
        summary: 'The business balance in every asset',
        response: answers(pageSchema(BalanceItem)),
      },
    },
    async (request, reply) => {
      const { integration, mode } = apiKeyOf(request);
      const stored = await balancesOf(db, { kind: 'business', owner: integration.id, mode });
      const found = new Map(stored.map((balance) => [balance.asset, balance]));
      const items = assets.all.map(({ code, scale }) => ({
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
        summary: "The business balance's ledger lines, newest first",
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
      const items = page.items.map((entry) => ({
        id: entry.transfer,
        asset: entry.asset,
        amount: decimalOf(entry.units, assets.get(entry.asset).scale),
        cause: entry.cause,
        cause_id: entry.cause_id,
        created_at: entry.created_at.toISOString(),
      }));
      return sendEnvelope(reply, envelope('Balance entries', { items, next_cursor: page.next_cursor }));
    },
  );
}
