import type { FastifyInstance } from 'fastify';
import { identityErrors } from '../../identity/errors.ts';
import type { Mode } from '../../identity/integration.ts';
import { refuse } from '../../kit/errors.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import { decimalOf } from '../../money/money.ts';
import type { UserId } from '../../wallets/users.ts';
import { readWorth } from '../../wallets/worth.ts';
import { coinsOf } from '../coins.ts';
import { entryOf } from '../line-words.ts';
import { walletLines } from '../lines.ts';
import { moneyView } from '../views/money.ts';
import type { Frame, FrameDeps } from './frame.ts';
import { ownerOf, pendingOf } from './history.ts';

const shownFirst = 5;
const inState = 50;

/** What a user has, with the newest lines; for people, and as JSON. */
export function moneyPages(app: FastifyInstance, frame: Frame, { db, now }: FrameDeps): void {
  const balancesFor = ({ userId, mode }: { userId: UserId; mode: Mode }) =>
    balancesOf(db, { kind: 'user', owner: userId, mode });

  frame.ownPage('', async (exchange) => {
    const { context, session } = exchange;
    const owner = ownerOf(exchange);
    const { userId, mode } = owner;
    const [balances, debts, lines, pending] = await Promise.all([
      balancesFor(owner),
      balancesOf(db, { kind: 'receivable', owner: userId, mode }),
      walletLines(db, owner, {}, { beforeSeq: null, limit: shownFirst }),
      pendingOf(db, exchange),
    ]);
    const coins = coinsOf(context.site.assets, balances);
    const { valueCurrency: currency } = session.user;
    const worth = currency && (await readWorth(db, { currency, mode }, coins, now()));
    return moneyView(context, { coins, worth, debts, lines, pending });
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
