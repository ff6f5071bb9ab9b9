import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { after, type Clock } from '../kit/clock.ts';
import { type Database, type Tx, transaction } from '../kit/db/db.ts';
import type { Hints } from '../kit/db/hints.ts';
import { leaveLease, takeLease, writeUnderLease } from '../kit/db/lease.ts';
import { textArray } from '../kit/db/sql-arrays.ts';
import { faultOf } from '../kit/net/exchange-fault.ts';
import { type Kept, keptOf } from './heard.ts';
import { keepKnownRates, ratesTopic } from './known-rates.ts';
import { getText } from './sources/get-text.ts';
import type { RateSource } from './sources/source.ts';
import { writeAnswersSql } from './sql.ts';

export type AskDeps = {
  db: Database;
  hints: Hints;
  sources: readonly RateSource[];
  log: Logger;
  now: Clock;
};

export const askEveryMs = 10_000;
/** Longer than a source may take to answer. */
const leaseSeconds = 30;
const leaseName = 'rates';

/** What a source answered, or why it did not. */
type Asked = { source: RateSource; kept: Kept[]; fault: string | null };

/**
 * Asks the sources whose turn it is, and keeps what they say. One process does so at a time; after a restart the answers
 * are still there, and no source is asked sooner than it would have been.
 */
export function createAsker({ db, hints, sources, log, now }: AskDeps) {
  const terms = { name: leaseName, holder: randomUUID(), seconds: leaseSeconds };

  async function ask(source: RateSource): Promise<Asked> {
    try {
      const kept = keptOf(await source.ask((url) => getText(url)), now());
      if (kept.length === 0) throw new Error('answered without a rate');
      return { source, kept, fault: null };
    } catch (error) {
      const fault = error instanceof Error ? faultOf(error) : String(error);
      log.warn({ source: source.name, reason: fault }, 'a rate source failed');
      return { source, kept: [], fault };
    }
  }

  let isListed = false;
  return {
    async run(): Promise<void> {
      // Sources of an earlier configuration are taken from the list once.
      if (sources.length === 0 && isListed) return;
      const lease = await takeLease(db, terms);
      if (!lease) return;
      const due = await transaction(db, (tx) => listSources(tx, sources, now()));
      isListed = true;
      if (due.length === 0) return;
      const asked = await Promise.all(due.map(ask));
      await writeUnderLease(db, lease, async (tx) => {
        for (const each of asked) await keep(tx, each, now());
        await keepKnownRates(tx, now());
      });
      if (asked.every(({ fault }) => fault !== null)) {
        log.error(
          { ageSeconds: await ageOf(db, now()) },
          'every rate source failed: the last known rates stay in use',
        );
      }
      hints.send(ratesTopic);
    },
    leave: () => leaveLease(db, terms),
  };
}

/** Makes the list of sources what the configuration says, and returns those whose turn it is. */
async function listSources(tx: Tx, sources: readonly RateSource[], now: Date): Promise<RateSource[]> {
  type Row = { name: string; place: number; quotes_coins: boolean; asked_at: Date | null };
  const { rows } = await tx.query<Row>('SELECT name, place, quotes_coins, asked_at FROM rate_sources');
  const listed = new Map(rows.map((row) => [row.name, row]));
  const names = sources.map(({ name }) => name);
  if (rows.some(({ name }) => !names.includes(name))) {
    await tx.query('DELETE FROM rate_sources WHERE name <> ALL ($1)', [names]);
  }
  for (const [place, { name, quotesCoins }] of sources.entries()) {
    const row = listed.get(name);
    if (row?.place === place && row.quotes_coins === quotesCoins) continue;
    await tx.query(
      `INSERT INTO rate_sources (name, place, quotes_coins) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET place = excluded.place, quotes_coins = excluded.quotes_coins`,
      [name, place, quotesCoins],
    );
  }
  return sources.filter(({ name, everySeconds }) => {
    const askedAt = listed.get(name)?.asked_at ?? null;
    return askedAt === null || askedAt <= after(now, -everySeconds);
  });
}

async function keep(tx: Tx, { source, kept, fault }: Asked, now: Date): Promise<void> {
  const { name } = source;
  await tx.query('UPDATE rate_sources SET asked_at = $2, fault = $3 WHERE name = $1', [name, now, fault]);
  if (kept.length === 0) return;
  await tx.query({
    name: 'write-rate-answers',
    text: writeAnswersSql,
    values: [
      name,
      textArray(kept.map(({ currency }) => currency)),
      textArray(kept.map(({ priceCurrency }) => priceCurrency)),
      textArray(kept.map(({ rate }) => rate)),
      textArray(kept.map(({ at }) => at?.toISOString() ?? null)),
      textArray(kept.map((each) => each.fault)),
    ],
  });
}

/** How old the newest answer is, in seconds; null: there never was one. */
async function ageOf(db: Database, now: Date): Promise<number | null> {
  const { rows } = await db.query<{ at: Date | null }>('SELECT max(at) AS at FROM known_rates');
  const at = rows[0]?.at;
  return at ? Math.round((now.getTime() - at.getTime()) / 1000) : null;
}
