import type { Database } from '../../gateway/src/kit/db/db.ts';
import type { Amount } from '../result.ts';

type Timed = { query: string; calls: bigint; ms: number };

const atLeastCalls = 5;
const shown = 12;
/** Smaller differences are noise of the machine. */
const slowerByMs = 0.2;
const mostTimes = 1.3;

export const forgetStatements = async (db: Database): Promise<void> => {
  await db.query('SELECT pg_stat_statements_reset()');
};

/**
 * Compares every statement that both gateways made while they were measured, with the statements of their loops: how
 * many there are, and which take longer with many payments.
 */
export async function compareStatements(few: Database, many: Database): Promise<Amount[]> {
  const before = new Map((await read(few)).map((each) => [each.query, each.ms]));
  const compared = (await read(many)).flatMap(({ query, ms }) => {
    const then = before.get(query);
    return then === undefined ? [] : [{ query, then, ms }];
  });
  const slower = compared
    .filter(({ then, ms }) => ms > mostTimes * then && ms - then > slowerByMs)
    .toSorted((a, b) => b.ms - b.then - (a.ms - a.then));
  const line = ({ query, then, ms }: (typeof slower)[number]): Amount => ({
    of: `ms in place of ${then.toFixed(2)} ms: ${query.replaceAll(/\s+/g, ' ').replaceAll('|', '').trim().slice(0, 100)}`,
    count: ms,
  });
  return [
    { of: 'statements compared', count: compared.length },
    { of: `statements slower by more than ${mostTimes} times and ${slowerByMs} ms`, count: slower.length },
    ...slower.slice(0, shown).map(line),
  ];
}

async function read(db: Database): Promise<Timed[]> {
  const { rows } = await db.query<Timed>(
    `SELECT query, sum(calls)::bigint AS calls, sum(total_exec_time) / sum(calls) AS ms FROM pg_stat_statements
     WHERE query ~* '^[^a-z]*(SELECT|INSERT|UPDATE|DELETE|WITH)' AND query !~ 'pg_stat_statements'
     GROUP BY query HAVING sum(calls) >= $1`,
    [atLeastCalls],
  );
  return rows;
}
