import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { identityErrors } from '../../identity/errors.ts';
import { csvHead, csvLine } from '../../kit/csv.ts';
import type { Database } from '../../kit/db/db.ts';
import { Refusal, refuse } from '../../kit/errors.ts';
import { decodeCursor, encodeCursor } from '../../kit/http/cursor.ts';
import { isUuid } from '../../kit/ids.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import type { LineFilter } from '../../ledger/lines.ts';
import { decimalOf } from '../../money/money.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import { depositsById } from '../../wallets/deposits/deposits.ts';
import { findWithdrawal, listWithdrawals } from '../../wallets/withdrawals/withdraw.ts';
import { spanOf } from '../days.ts';
import { entryOf } from '../line-words.ts';
import { type WalletLine, walletLines } from '../lines.ts';
import { entryView } from '../views/entry.ts';
import { type HistoryChoice, historyView } from '../views/history.ts';
import { isPending, type TransactionUrl } from '../views/withdrawals.ts';
import type { Exchange, Frame, FrameDeps, OwnExchange } from './frame.ts';

const perPage = 25;
const exportedAtOnce = 500;
/** Of so many of the newest withdrawals those are shown that have not left yet. */
const newestWithdrawals = 25;

export const ownerOf = ({ session, context }: OwnExchange) => ({
  userId: session.user.id,
  mode: context.mode,
});

/** The withdrawals of a user that have neither left nor ended, the newest first. */
export async function pendingOf(db: Database, exchange: OwnExchange): Promise<Payout[]> {
  const { userId, mode } = ownerOf(exchange);
  const newest = await listWithdrawals(db, userId, mode, { before: null, limit: newestWithdrawals });
  return newest.filter(isPending);
}

export type HistoryDeps = FrameDeps & { transactionUrl: TransactionUrl };

/** The movements of a wallet: all of them, one of them, and as a file. */
export function historyPages(app: FastifyInstance, frame: Frame, deps: HistoryDeps): void {
  const { db, transactionUrl } = deps;

  frame.ownPage('history', async (exchange) => {
    const owner = ownerOf(exchange);
    const choice = choiceOf(exchange);
    const beforeSeq = seqOf(exchange.field('before'));
    const [found, balances, pending] = await Promise.all([
      walletLines(db, owner, filterOf(choice), { beforeSeq, limit: perPage + 1 }),
      balancesOf(db, { kind: 'user', owner: owner.userId, mode: owner.mode }),
      pendingOf(db, exchange),
    ]);
    const lines = found.slice(0, perPage);
    const last = lines.at(-1);
    const older = found.length > perPage && last ? encodeCursor([last.seq]) : null;
    const assets = balances.map(({ asset }) => asset);
    const isNewest = beforeSeq === null;
    return historyView(exchange.context, { lines, older, isNewest, choice, assets, pending });
  });

  frame.ownPage('history/entry', async (exchange) => {
    const line = await lineOf(db, exchange);
    if (!line) return { to: 'history' };
    const [deposit, payout] = await Promise.all([
      depositsById(db, depositsIn(line)).then((found) => found.get(line.causeId ?? '') ?? null),
      withdrawalOf(db, exchange, line.causeId ?? ''),
    ]);
    return entryView(exchange.context, { line, deposit, payout }, transactionUrl);
  });

  app.get('/wallet/history.csv', { schema: { hide: true } }, async (request, reply) => {
    const exchange = await frame.exchangeOf(request, reply);
    const { session, context } = exchange;
    if (!session) throw refuse(identityErrors.not_signed_in);
    void reply.type('text/csv; charset=utf-8');
    void reply.header('content-disposition', `attachment; filename="florin-${context.mode}.csv"`);
    return reply.send(Readable.from(csvOf(db, { ...exchange, session })));
  });
}

/** What of the history a page or a file shows; what names no asset and no month is passed over. */
function choiceOf({ field, context: { site } }: Exchange): HistoryChoice {
  const [asset = '', month = ''] = [field('asset'), field('month')];
  return {
    asset: site.assets.find(asset)?.code ?? null,
    month: spanOf(month) ? month : null,
  };
}

function filterOf({ asset, month }: HistoryChoice): LineFilter {
  return { ...(asset === null ? {} : { asset }), ...(month === null ? {} : spanOf(month)) };
}

/** The line after which a page begins; throws `cursor is invalid`. */
function seqOf(before: string | undefined): bigint | null {
  if (!before) return null;
  const [seq] = decodeCursor(before, [/^\d{1,18}$/]);
  return BigInt(seq);
}

/** The user's own line that the address names; null: there is none. */
async function lineOf(db: Database, exchange: OwnExchange): Promise<WalletLine | null> {
  const id = exchange.field('id') ?? '';
  if (!/^\d{1,18}$/.test(id)) return null;
  const seq = BigInt(id);
  const [line] = await walletLines(db, ownerOf(exchange), {}, { beforeSeq: seq + 1n, limit: 1 });
  return line?.seq === seq ? line : null;
}

const depositsIn = ({ kind, causeId }: WalletLine): string[] =>
  (kind === 'deposit' || kind === 'deposit_lost') && causeId !== null ? [causeId] : [];

/** The user's withdrawal of this id; null: it names none. */
export async function withdrawalOf(
  db: Database,
  { session }: OwnExchange,
  id: string,
): Promise<Payout | null> {
  if (!isUuid(id)) return null;
  return await findWithdrawal(db, session.user.id, id).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
}

/** All lines, the newest first, read in parts, so that a long history takes little memory. */
async function* csvOf(db: Database, exchange: OwnExchange): AsyncGenerator<string> {
  yield csvHead(['at', 'asset', 'amount', 'balance', 'kind', 'text']);
  const { context } = exchange;
  const filter = filterOf(choiceOf(exchange));
  let beforeSeq: bigint | null = null;
  for (;;) {
    const page = { beforeSeq, limit: exportedAtOnce };
    const lines: WalletLine[] = await walletLines(db, ownerOf(exchange), filter, page);
    for (const line of lines) {
      const { at, asset, amount, kind, text } = entryOf(context, line);
      const { scale } = context.site.assets.get(asset);
      const balance = line.balance === null ? null : decimalOf(line.balance, scale);
      yield csvLine([at, asset, amount, balance, kind, text]);
    }
    const last = lines.at(-1);
    if (!last || lines.length < exportedAtOnce) return;
    beforeSeq = last.seq;
  }
}
