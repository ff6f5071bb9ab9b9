import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLedgerModel, type LedgerModel, nameOf } from '../../test/schedules/ledger-model.ts';
import { testDatabase } from '../../test/support/database.ts';
import { transaction } from '../kit/db/db.ts';
import { Refusal } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { auditLedger } from './audit.ts';
import { endHold, placeHold } from './holds.ts';
import type { Transfer } from './ledger.ts';
import { balancesOf, type Party, type PostOutcome, postTransfers } from './ledger.ts';

const now = new Date('2026-03-01T12:00:00Z');
const { db } = await testDatabase();

// Accounts are named by their place in `partiesOf`: three that hold a balance, then two that have no bottom.
const stored = fc.nat(2);
const any = fc.nat(4);
const move = fc.record({ debit: any, credit: any, units: fc.bigInt({ min: 1n, max: 40n }) });
const template = move.filter(({ debit, credit }) => debit !== credit);
/** A transfer of the run by its place, as it is or with other units under the same id. */
const choice = fc.record({ template: fc.nat(11), changed: fc.constantFrom(false, false, true) });

const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ batch: fc.array(choice, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ place: stored, credit: any, units: fc.bigInt({ min: 1n, max: 40n }) }),
  },
  { weight: 1, arbitrary: fc.record({ end: fc.nat(5), as: fc.constantFrom('posted', 'voided') }) },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

function partiesOf(owner: string): Party[] {
  return [
    { kind: 'business', owner },
    { kind: 'user', owner },
    { kind: 'suspense', owner },
    { kind: 'external', owner },
    { kind: 'fees', owner },
  ];
}

/** Whether doing the transfers one by one, in some order, has these outcomes; leaves the model after them. */
function follow(model: LedgerModel, batch: Transfer[], outcomes: PostOutcome[]): LedgerModel | null {
  if (batch.length === 0) return model;
  for (let index = 0; index < batch.length; index++) {
    const next = model.clone();
    if (next.post(batch[index]!) !== outcomes[index]) continue;
    const after = follow(next, batch.toSpliced(index, 1), outcomes.toSpliced(index, 1));
    if (after) return after;
  }
  return null;
}

const isDisjoint = (batch: Transfer[]): boolean => {
  const credited = new Set(batch.map(({ credit }) => nameOf(credit)));
  return !batch.some(({ debit }) => credited.has(nameOf(debit)));
};

/** One run: every command is done in the ledger and in the model, and must come to the same. */
function startRun(templates: { debit: number; credit: number; units: bigint }[]) {
  const owner = newId(now);
  const parties = partiesOf(owner);
  const holds: string[] = [];
  let model = createLedgerModel();

  const transfer = (debit: number, credit: number, units: bigint): Transfer => ({
    id: newId(now),
    mode: 'test',
    asset: 'pi',
    units,
    debit: parties[debit]!,
    credit: parties[credit]!,
    cause: 'model',
    causeId: null,
  });
  const known = templates.map(({ debit, credit, units }) => transfer(debit, credit, units));

  async function doBatch(choices: { template: number; changed: boolean }[]): Promise<void> {
    const batch = choices.map(({ template: place, changed }) => {
      const chosen = known[place % known.length]!;
      return changed ? { ...chosen, units: chosen.units + 1n } : chosen;
    });
    const outcomes = await transaction(db, (tx) => postTransfers(tx, batch, now));
    if (isDisjoint(batch)) expect(outcomes).toEqual(batch.map((each) => model.post(each)));
    else {
      const after = follow(model, batch, outcomes);
      expect(after, `no order of the batch has the outcomes ${outcomes}`).not.toBeNull();
      model = after!;
    }
  }

  async function doPlace(debit: number, credit: number, units: bigint): Promise<void> {
    if (debit === credit) return;
    const hold = transfer(debit, credit, units);
    const placed = await transaction(db, (tx) => placeHold(tx, hold, now)).then(
      () => 'placed',
      (error: unknown) => (error instanceof Refusal ? 'insufficient' : Promise.reject(error)),
    );
    expect(placed).toBe(model.place(hold));
    holds.push(hold.id);
  }

  async function doEnd(place: number, as: 'posted' | 'voided'): Promise<void> {
    const id = holds[place];
    if (id === undefined) return;
    expect(await transaction(db, (tx) => endHold(tx, id, as, now))).toBe(model.end(id, as));
  }

  async function compareBalances(): Promise<void> {
    for (const { kind } of parties.slice(0, 3)) {
      const account = nameOf({ kind, owner });
      const [balance] = await balancesOf(db, { kind: kind as 'user', owner, mode: 'test' });
      expect(balance?.available ?? 0n).toBe(model.available(account));
      expect(balance?.held ?? 0n).toBe(model.held(account));
    }
  }

  return {
    async run(step: Command): Promise<void> {
      if ('batch' in step) await doBatch(step.batch);
      else if ('place' in step) await doPlace(step.place, step.credit, step.units);
      else await doEnd(step.end, step.as as 'posted' | 'voided');
    },
    compareBalances,
  };
}

test('whatever is posted, held, replayed or refused, the ledger does what a ledger in memory does', async () => {
  const templates = fc.array(template, { minLength: 12, maxLength: 12 });
  const commands = fc.array(command, { minLength: 5, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(templates, commands, async (moves, steps) => {
      const run = startRun(moves);
      for (const step of steps) await run.run(step);
      await run.compareBalances();
      expect((await auditLedger(db)).findings).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
