import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { identityErrors } from '../../identity/errors.ts';
import type { Mode } from '../../identity/integration.ts';
import { csvHead, csvLine } from '../../kit/csv.ts';
import type { Database } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { decodeCursor, encodeCursor } from '../../kit/http/cursor.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import { decimalOf } from '../../money/money.ts';
import type { UserId } from '../../wallets/users.ts';
import type { PageContext } from '../context.ts';
import { lineNote, lineWords } from '../line-words.ts';
import { type WalletLine, walletLines } from '../lines.ts';
import { historyView, moneyView } from '../views/money.ts';
import type { Frame, FrameDeps, OwnExchange } from './frame.ts';

const shownFirst = 5;
const perPage = 25;
const inState = 50;
const exportedAtOnce = 500;

/** The balances and lines of a user. */
export function moneyPages(app: FastifyInstance, frame: Frame, { db }: FrameDeps): void {
  const ownerOf = ({ session, context }: OwnExchange) => ({ userId: session.user.id, mode: context.mode });
  const balancesFor = ({ userId, mode }: { userId: UserId; mode: Mode }) =>
    balancesOf(db, { kind: 'user', owner: userId, mode });

  frame.ownPage('', async (exchange) => {
    const owner = ownerOf(exchange);
    const { userId, mode } = owner;
    const [balances, debts, lines] = await Promise.all([
      balancesFor(owner),
      balancesOf(db, { kind: 'receivable', owner: userId, mode }),
      walletLines(db, owner, {}, { beforeSeq: null, limit: shownFirst }),
    ]);
    return moneyView(exchange.context, { balances, debts, lines });
  });

  frame.ownPage('history', async (exchange) => {
    const before = exchange.field('before');
    const [seq] = before ? decodeCursor(before, [/^\d{1,18}$/]) : [];
    const beforeSeq = seq === undefined ? null : BigInt(seq);
    const found = await walletLines(db, ownerOf(exchange), {}, { beforeSeq, limit: perPage + 1 });
    const lines = found.slice(0, perPage);
    const last = lines.at(-1);
    const older = found.length > perPage && last ? encodeCursor([last.seq]) : null;
    return historyView(exchange.context, { lines, older, isNewest: beforeSeq === null });
  });

  app.get('/wallet/history.csv', { schema: { hide: true } }, async (request, reply) => {
    const exchange = await frame.exchangeOf(request, reply);
    const { session, context } = exchange;
    if (!session) throw refuse(identityErrors.not_signed_in);
    void reply.type('text/csv; charset=utf-8');
    void reply.header('content-disposition', `attachment; filename="florin-${context.mode}.csv"`);
    return reply.send(Readable.from(csvOf(db, { ...exchange, session })));
  });

  app.get('/wallet/state', { schema: { hide: true } }, async (request, reply) => {
    const exchange = await frame.exchangeOf(request, reply);
    const { session, context } = exchange;
    if (!session) throw refuse(identityErrors.not_signed_in);
    const owner = ownerOf({ ...exchange, session });
    const [stored, lines] = await Promise.all([
      balancesFor(owner),
      walletLines(db, owner, {}, { beforeSeq: null, limit: inState }),
    ]);
    const found = new Map(stored.map((balance) => [balance.asset, balance]));
    const balances = context.site.assets.of(context.mode).all.map(({ code, scale }) => ({
      asset: code,
      available: decimalOf(found.get(code)?.available ?? 0n, scale),
      held: decimalOf(found.get(code)?.held ?? 0n, scale),
    }));
    const entries = lines.map((line) => entryOf(context, line));
    const state = { username: session.user.username, mode: context.mode, balances, entries };
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(state));
  });
}

function entryOf({ say, site }: PageContext, line: WalletLine) {
  const asset = site.assets.get(line.asset);
  const note = lineNote(say, line);
  const words = [
    lineWords(say, line, asset).text,
    ...(note === null ? [] : [typeof note === 'string' ? note : note.text]),
  ];
  return {
    at: line.created_at.toISOString(),
    asset: line.asset,
    amount: decimalOf(line.units, asset.scale),
    kind: line.kind,
    text: words.join(' · '),
  };
}

/** All lines, the newest first, read in parts, so that a long history takes little memory. */
async function* csvOf(db: Database, { session, context }: OwnExchange): AsyncGenerator<string> {
  yield csvHead(['at', 'asset', 'amount', 'balance', 'kind', 'text']);
  let beforeSeq: bigint | null = null;
  for (;;) {
    const owner = { userId: session.user.id, mode: context.mode };
    const lines: WalletLine[] = await walletLines(db, owner, {}, { beforeSeq, limit: exportedAtOnce });
    for (const line of lines) {
      const { at, asset, amount, kind, text } = entryOf(context, line);
      const { scale } = context.site.assets.get(asset);
      yield csvLine([
        at,
        asset,
        amount,
        line.balance === null ? null : decimalOf(line.balance, scale),
        kind,
        text,
      ]);
    }
    const last = lines.at(-1);
    if (!last || lines.length < exportedAtOnce) return;
    beforeSeq = last.seq;
  }
}
