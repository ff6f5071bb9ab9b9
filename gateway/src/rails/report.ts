import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import {
  type Database,
  isConflict,
  isLockTimeout,
  isUnavailable,
  type Reader,
  type Tx,
  transaction,
} from '../kit/db/db.ts';
import { scopeHere, within } from '../kit/trace.ts';
import type { DirectMove } from './direct.ts';
import type { Move } from './move.ts';
import type { Arrival } from './owner.ts';
import type { Observation, Outflow, SendReport, Sweep, UnmatchedDeposit } from './rail.ts';

/** One change on a rail, for payments to book. */
export type Report =
  /** `at`: the time that it counts from. `isBooked`: it may move money in the ledger. */
  | { kind: 'transfer'; seen: Observation; at: Date; isBooked: boolean }
  | { kind: 'arrival'; arrival: Arrival }
  | { kind: 'unmatched'; deposit: UnmatchedDeposit }
  | { kind: 'outflow'; outflow: Outflow }
  | { kind: 'sweep'; sweep: Sweep }
  | { kind: 'move'; move: Move }
  | { kind: 'direct'; move: DirectMove }
  | { kind: 'send'; report: SendReport };

/**
 * Takes a batch of reports of one rail, in the transaction that notes them as reported. When it throws, nothing is
 * noted, and each row of the batch is reported again alone.
 */
export type TakeReports = (tx: Tx, batch: readonly Report[]) => Promise<void>;

/**
 * Rows that are reported together, such as the rows of a payment. `isShared`: they may share a batch with other groups.
 * That is so for transfers to payments only, since other reports lock rows in another order; and for few rows only, so
 * that a payment with thousands of tiny transfers does not delay others.
 */
export type Group = { name: string; isShared: boolean };

/** A rail's table, as far as it is an outbox of reports. */
export type Outbox<Row> = {
  /** Fields of every log line. */
  fields: Record<string, unknown>;
  /** The groups with rows that are not reported and not postponed, in the order in which they are to be reported. */
  due(reader: Reader, now: Date, atMost: number): Promise<Group[]>;
  /** Locks these rows of groups until the transaction ends, and returns them in order. */
  lock(tx: Tx, groups: readonly string[], now: Date, atMost: number): Promise<Row[]>;
  /** The reports of a row: one, or several. */
  reportsOf(tx: Tx, row: Row, now: Date): Promise<Report[]>;
  noteReported(tx: Tx, rows: readonly Row[]): Promise<void>;
  /** Postpones a row that could not be reported: its columns are set by `postponeSql`. */
  postpone(reader: Reader, row: Row, now: Date): Promise<void>;
};

export type ReporterDeps<Row> = {
  db: Database;
  outbox: Outbox<Row>;
  take: TakeReports;
  now: Clock;
  log: Logger;
};

export type Reporter = {
  /** Reports what is due, and returns whether there may be more. Any number of processes may do so at once. */
  reportDue(): Promise<boolean>;
  /** Reports what is due of one group. */
  reportGroup(group: string): Promise<void>;
};

/** The rows of a batch; `fault`: why they could not be reported, or null. */
type Batch<Row> = { rows: Row[]; fault: unknown };

/** Groups of one call, groups of one batch, and rows of one batch; the rest is for the next call. */
const groupsAtMost = 1_000;
const groupsAtOnce = 500;
const rowsAtMost = 500;
/** Rows of one group that shares a batch. */
export const sharedRowsAtMost = 10;
/** Rows of a group that is reported alone, and how many such groups are reported at once. */
const rowsAloneAtMost = 50;
const aloneAtOnce = 4;
const longestPauseSeconds = 300;

/** Sets the columns that postpone a row, each time for longer; `now` is the placeholder of a parameter. */
export const postponeSql = (now: string): string =>
  `report_faults = report_faults + 1,
   report_after = ${now}::timestamptz + least(2 ^ least(report_faults, 20), ${longestPauseSeconds}) * interval '1 second'`;

/**
 * Makes the reporter of a rail, which hands its unreported rows to payments: each batch in one transaction with the
 * note that it is reported. A row that payments cannot take is postponed alone; neither its group nor others wait for
 * it.
 */
export function createReporter<Row>({ db, outbox, take, now, log }: ReporterDeps<Row>): Reporter {
  const report = (groups: readonly string[], atMost: number): Promise<Batch<Row>> =>
    inSpan(() => reportRows(groups, atMost));

  async function reportRows(groups: readonly string[], atMost: number): Promise<Batch<Row>> {
    let rows: Row[] = [];
    try {
      await transaction(db, async (tx) => {
        rows = await outbox.lock(tx, groups, now(), atMost);
        const batch: Report[] = [];
        for (const row of rows) batch.push(...(await outbox.reportsOf(tx, row, now())));
        await take(tx, batch);
        await outbox.noteReported(tx, rows);
      });
      return { rows, fault: null };
    } catch (error) {
      return { rows, fault: error };
    }
  }

  /** Reports groups in one batch, or one by one where that fails. Returns whether there may be more of them. */
  async function reportShared(groups: readonly string[]): Promise<boolean> {
    if (groups.length === 1) return await reportEach(groups, 1);
    const batch = await report(groups, rowsAtMost);
    if (batch.fault === null) return batch.rows.length === rowsAtMost;
    // Throws where the database cannot be reached.
    isPassing(batch);
    return await reportEach(groups, 1);
  }

  async function reportEach(groups: readonly string[], atOnce: number): Promise<boolean> {
    const left = [...groups];
    let isMore = false;
    const work = async () => {
      for (let group = left.shift(); group !== undefined; group = left.shift()) {
        if (await reportAlone(group)) isMore = true;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return isMore;
  }

  /** Reports a group, or its rows one by one where that fails. Returns whether there may be more of it. */
  async function reportAlone(group: string): Promise<boolean> {
    const batch = await report([group], rowsAloneAtMost);
    const { rows, fault } = batch;
    if (fault === null) return rows.length === rowsAloneAtMost;
    if (rows.length === 1 || isPassing(batch)) return await handleFault(group, batch);
    for (let left = rows.length; left > 0; left -= 1) {
      const alone = await report([group], 1);
      if (alone.fault !== null && (await handleFault(group, alone))) return true;
    }
    return rows.length === rowsAloneAtMost;
  }

  /** Postpones rows that could not be reported, unless the fault is passing: then it returns true. */
  async function handleFault(group: string, batch: Batch<Row>): Promise<boolean> {
    const facts = { err: batch.fault, ...outbox.fields, group };
    if (isPassing(batch)) {
      log.warn(facts, 'a report waited for a lock or met a deadlock; it is made again');
      return true;
    }
    log.error(facts, 'a report could not be taken; it is made again later');
    for (const row of batch.rows) await outbox.postpone(db, row, now());
    return false;
  }

  return {
    async reportDue() {
      const groups = await outbox.due(db, now(), groupsAtMost);
      let isMore = groups.length === groupsAtMost;
      const shared = groups.filter(({ isShared }) => isShared).map(({ name }) => name);
      for (let at = 0; at < shared.length; at += groupsAtOnce) {
        if (await reportShared(shared.slice(at, at + groupsAtOnce))) isMore = true;
      }
      const others = groups.filter(({ isShared }) => !isShared).map(({ name }) => name);
      return (await reportEach(others, aloneAtOnce)) || isMore;
    },
    async reportGroup(group) {
      await reportAlone(group);
    },
  };
}

/** Reports rows in a span of its own where that is traced; where nothing was due, the span is not sent. */
async function inSpan<Row>(work: () => Promise<Batch<Row>>): Promise<Batch<Row>> {
  const span = scopeHere()?.begin('report');
  if (!span) return await work();
  const batch = await within(span, work);
  if (batch.rows.length > 0 || batch.fault !== null) {
    span.note({ 'florin.items': batch.rows.length });
    span.end(batch.fault === null ? 'well' : 'by a fault');
  }
  return batch;
}

/**
 * Whether a fault comes from other writes, so that the rows may be reported again at once. Throws it where the database
 * cannot be reached.
 */
function isPassing({ rows, fault }: Batch<unknown>): boolean {
  if (isConflict(fault) || isLockTimeout(fault)) return true;
  if (isUnavailable(fault) || rows.length === 0) throw fault;
  return false;
}
