import { expect, test } from 'vitest';
import { openDesk } from '../../../../test/pi/send-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { endUnapplied } from './outcome.ts';
import { openEnvelope } from './record.ts';

const { db } = await testDatabase();

test('a process that comes late does not put an order back that another one has signed anew', async () => {
  const desk = await openDesk(db);
  const id = await desk.order();
  desk.horizon.faults.add({ kind: 'timeout', method: 'POST', times: Number.POSITIVE_INFINITY });
  await desk.sender().tick();
  const lost = (await openEnvelope(db, desk.pi))!;
  const ends = () => endUnapplied(desk.deps, lost, { state: 'void', fee: null });
  await ends();
  expect(await desk.standing(id)).toMatchObject({ state: 'queued' });
  desk.horizon.faults.clear();
  desk.pass(120);
  await desk.sender().tick();
  expect(await desk.standing(id)).toMatchObject({ state: 'signed' });
  await ends();
  expect(await desk.standing(id)).toMatchObject({ state: 'signed' });
});
