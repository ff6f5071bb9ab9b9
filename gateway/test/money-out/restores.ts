import fc from 'fast-check';
import { expect } from 'vitest';
import { type Database, type Tx, transaction } from '../../src/kit/db/db.ts';
import { Refusal } from '../../src/kit/errors.ts';
import { newId } from '../../src/kit/ids.ts';
import { type Table, tablesOf } from '../../src/operations/backup/tables.ts';
import { resumePayouts, stopPayouts } from '../../src/payouts/rules/stop.ts';
import { renewVaultEpoch } from '../../src/rails/evm/payouts/vault-id.ts';
import { assignMove } from '../../src/treasury/assign.ts';
import { isUnordered } from '../../src/treasury/orders.ts';
import { noteRestore } from '../../src/treasury/restore.ts';
import { openEvmStage } from './evm.ts';
import { type EvmSetting, type EvmStep, evmSchedules } from './evm-steps.ts';
import type { EvmWorld } from './evm-world.ts';
import { approveAll, ask, resume } from './people.ts';
import { play, workOnAll } from './play.ts';
import { agreeOn } from './run.ts';
import { one } from './schedules.ts';
import { restart, round, type Stage } from './stage.ts';
import type { Schedule, Step } from './steps.ts';

// A database that is put back to an earlier state: whatever left a vault or treasury since then, and whatever the clocks
// say, payouts go on only when it is known whose it was.

/** What happens after the restore; `resume`: an operator tries to let payouts go on. */
type After =
  | EvmStep
  | { do: 'read' | 'send' | 'assign' | 'resume' | 'mend' | 'restore' }
  | { do: 'wait'; seconds: number };

export type Restore = {
  schedule: Schedule<EvmStep, EvmSetting>;
  /** After so many thousandths of its steps the backup is made; the others are lost. */
  backup: number;
  /** So deep in the chain is what was certainly paid since; 0: nothing was. */
  since: number;
  /** By so many seconds the gateway's clock is ahead of the chain's. */
  ahead: number;
  after: After[];
};

const after: fc.Arbitrary<After> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('mine'), blocks: one(1, 2, 5) }) },
  { weight: 8, arbitrary: fc.record({ do: one('read', 'read', 'read', 'send') }) },
  { weight: 6, arbitrary: fc.record({ do: one('resume', 'resume', 'assign') }) },
  { weight: 1, arbitrary: fc.record({ do: one('mend', 'restore') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), seconds: one(1, 30, 130, 3600) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('break'), endpoint: fc.nat(2), seed: fc.nat(255) },
      fault: one(
        'dead',
        'lagging',
        'late logs',
        'stands still',
        'drops replies',
        'empty logs',
        'missing logs',
      ),
    }),
  },
);

export const restores: fc.Arbitrary<Restore> = fc.record({
  schedule: evmSchedules,
  backup: fc.integer({ min: 500, max: 1000 }),
  since: one(0, 1, 2, 5, 5),
  ahead: one(-3_600, -30, 0, 30, 30, 3_600, 3_600),
  after: fc.array(after, { minLength: 4, maxLength: 16 }),
});

/** Keeps all rows of a database beside it; what is answered puts it back to them. */
async function snapshot(db: Database): Promise<(tx: Tx) => Promise<void>> {
  const tables = await tablesOf(db);
  const filled: Table[] = [];
  await transaction(db, async (tx) => {
    await tx.query('DROP SCHEMA IF EXISTS kept CASCADE');
    await tx.query('CREATE SCHEMA kept');
    for (const table of tables) {
      if ((await tx.query(`SELECT FROM "${table.name}" LIMIT 1`)).rowCount === 0) continue;
      await tx.query(`CREATE TABLE kept."${table.name}" AS TABLE "${table.name}"`);
      filled.push(table);
    }
  });
  return async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    for (const { name } of tables) {
      if ((await tx.query(`SELECT FROM "${name}" LIMIT 1`)).rowCount !== 0)
        await tx.query(`DELETE FROM "${name}"`);
    }
    for (const { name, columns } of filled) {
      const all = columns.map((column) => `"${column}"`).join();
      await tx.query(
        `INSERT INTO "${name}" (${all}) OVERRIDING SYSTEM VALUE SELECT ${all} FROM kept."${name}"`,
      );
    }
    await tx.query('SET LOCAL session_replication_role = origin');
  };
}

/** The logs of which the database has a booked move, by block and place in it. */
async function bookedLogs(db: Database, isOwned: boolean): Promise<Set<string>> {
  const { rows } = await db.query<{ key: string }>(
    `SELECT t.block_hash || ':' || t.log_index AS key FROM evm_transfers t JOIN treasury_moves m USING (ledger_id)
     WHERE m.state = 'final' AND ($1 OR m.payout_id IS NOT NULL OR m.owner_kind IS NOT NULL)`,
    [!isOwned],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Plays one schedule, with a restore in it. */
export async function playRestore(
  world: EvmWorld,
  { schedule, backup, since, ahead, after: then }: Restore,
): Promise<void> {
  const { setting, steps, terms } = schedule;
  const stage = await openEvmStage(world, setting);
  try {
    const { db, shop } = stage;
    await agreeOn(stage, terms);
    const gatewayNow = () => new Date(shop.clock.now().getTime() + ahead * 1000);
    const from = Math.floor((backup * steps.length) / 1000);
    await playAll(stage, steps.slice(0, from));
    const putBack = await snapshot(db);
    const backupAt = gatewayNow();
    const known = await bookedLogs(db, false);
    await playAll(stage, steps.slice(from));
    if (since > 0) await paySome(stage, since);

    let restoredAt = 0;
    const restore = async (load: (tx: Tx) => Promise<void>) => {
      await stage.pass(60);
      // What was on its way belongs to the gateway that is gone.
      await world.driver.rpc('anvil_dropAllTransactions');
      restoredAt = world.driver.view().head;
      await transaction(db, async (tx) => {
        await load(tx);
        const at = gatewayNow();
        await noteRestore(tx, { backupAt, at });
        await stopPayouts(tx, { reason: 'restored', by: 'florin restore', at });
        await renewVaultEpoch(tx);
      });
      for (const who of [0, 1] as const) await restart(stage, who);
      if (setting.endpoints === 1) await stage.mend();
    };
    await restore(putBack);
    const tryToResume = () => resumeIfKnown(stage, world, setting, { known, restoredAt });
    for (const step of then) {
      if (setting.endpoints === 1 && showsLess(step)) continue;
      if (step.do === 'restore') await restore(async () => {});
      else if (step.do === 'resume') {
        if (await tryToResume()) return;
      } else await playAfter(stage, step);
    }
    await stage.mend();
    for (let rounds = 0; !(await tryToResume()); rounds++) {
      expect(rounds, 'payouts go on in the end').toBeLessThan(40);
      await assignAll(stage);
      await stage.goOn();
      await stage.pass([35, 130, 3_700][rounds % 3] ?? 0);
      await round(stage, 0, null, workOnAll);
    }
  } finally {
    await stage.close();
  }
}

async function playAll(stage: Stage<EvmStep>, steps: readonly (Step | EvmStep)[]): Promise<void> {
  for (const step of steps) await play(stage, step);
}

/** The business pays two receivers, whatever was broken before. */
async function paySome(stage: Stage<EvmStep>, depth: number): Promise<void> {
  await stage.mend();
  await resume(stage);
  await stage.provide();
  await ask(stage, { do: 'ask', asset: 0, thousandths: 300, count: 2 });
  await approveAll(stage);
  for (let count = 0; count < 3; count++) {
    await stage.pass(130);
    await round(stage, 0, null, workOnAll);
    await play(stage, { do: 'mine', blocks: count === 2 ? depth : 1 });
  }
}

/**
 * Whether an endpoint shows less than its chain has from now on. Of one endpoint alone nobody could know it:
 * docs/operations.md says what to do there.
 */
const showsLess = (step: After): boolean =>
  step.do === 'break' &&
  ['missing logs', 'empty logs', 'late logs', 'lagging', 'stands still'].includes(step.fault);

async function playAfter(
  stage: Stage<EvmStep>,
  step: Exclude<After, { do: 'resume' | 'restore' }>,
): Promise<void> {
  switch (step.do) {
    case 'read':
    case 'send': {
      const part = step.do;
      return await round(stage, 0, null, ({ work }) => work(part));
    }
    case 'assign':
      return await assignAll(stage);
    case 'mend':
      return await stage.mend();
    case 'wait':
      return await stage.pass(step.seconds);
    default:
      return await play(stage, step);
  }
}

/**
 * Whether the switch was lifted, which it is only when each transfer that left between backup and restore has an owner. What
 * leaves later is an order that the database knows: it is booked when it is read.
 */
async function resumeIfKnown(
  { db }: Stage<EvmStep>,
  { driver, config, vault }: EvmWorld,
  { intoVault }: EvmSetting,
  { known, restoredAt }: { known: ReadonlySet<string>; restoredAt: number },
): Promise<boolean> {
  try {
    await transaction(db, (tx) => resumePayouts(tx, [`evm:${config.id}`]));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
  const { receiving } = config;
  const places = new Set<string>([vault]);
  if (!intoVault && receiving.kind === 'forwarder') places.add(receiving.treasury);
  const owned = await bookedLogs(db, true);
  const left = (await driver.transfers()).filter(
    ({ from, to, blockNumber }) => places.has(from) && !places.has(to) && blockNumber <= restoredAt,
  );
  const keys = left.map(({ blockHash, logIndex }) => `${blockHash}:${logIndex}`);
  expect(
    keys.filter((key) => !known.has(key) && !owned.has(key)),
    'nobody’s, and payouts go on',
  ).toEqual([]);
  return true;
}

async function assignAll({ db, shop }: Stage<EvmStep>): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT m.ledger_id AS id FROM treasury_moves m WHERE ${isUnordered}`,
  );
  const by = { accountId: newId(), reason: 'a schedule says so' };
  const owner = { kind: 'business', id: shop.owner.integrationId } as const;
  for (const { id } of rows) {
    await transaction(db, (tx) => assignMove(tx, id, { owner, ...by }, shop.clock.now())).catch(
      (error: unknown) => {
        // The look for what ordered it comes first.
        if (!(error instanceof Refusal)) throw error;
      },
    );
  }
}
