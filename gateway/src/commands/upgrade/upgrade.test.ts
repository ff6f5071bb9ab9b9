import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../../test/support/data-dir.ts';
import { type Fault, openModel } from '../../../test/upgrades/model.ts';
import { backOutOfUpgrade, beginUpgrade, resumeUpgrade } from './upgrade.ts';

const folder = await testFolder();
let models = 0;
const modelWith = async (...faults: Fault[]) => {
  models++;
  return await openModel(join(folder, `${models}`), faults);
};

const asNew = { installed: 'new', schema: 'new', running: 'serving', lost: [], left: null };
const asBefore = { installed: 'old', schema: 'old', running: 'serving', lost: [], left: null };

describe('an upgrade', () => {
  test('ends with the new version, and has lost nothing', async () => {
    const model = await modelWith();
    expect(await model.until(beginUpgrade(model.order, 'new.deb'))).toBe(0);
    expect(await model.state()).toEqual(asNew);
    expect(model.said.at(-1)).toContain('Florin new serves. The backup made before is ');
  });

  test.each<[Fault, string]>([
    ['check', 'NOT to be installed'],
    ['backup', 'the disk is full'],
    ['migrate', 'florin migrate ended with 1: a column is missing'],
    ['audit', 'florin audit ended with 2: a balance is wrong'],
    ['trial', 'The gateway did not become ready'],
  ])('goes back by itself where the fault is in %s, and says why', async (fault, reason) => {
    const model = await modelWith(fault);
    expect(await model.until(beginUpgrade(model.order, 'new.deb'))).toBe(1);
    expect(await model.state()).toEqual(asBefore);
    expect(model.said.find((line) => line.startsWith('The upgrade from old to new goes back.'))).toContain(
      reason,
    );
    expect(model.said.at(-1)).toContain('Florin old serves as before.');
  });

  test('does not put the database back once the new version has served on it, and can be gone on with', async () => {
    const model = await modelWith('serving');
    expect(await model.until(beginUpgrade(model.order, 'new.deb'))).toBe(1);
    expect(model.said.at(-1)).toContain(
      'It cannot go back: new has migrated the database and has served on it',
    );
    expect(await model.state()).toMatchObject({ ...asNew, left: { step: 'serving' } });
    expect(await model.until(backOutOfUpgrade(model.order))).toBe(1);
    expect(await model.state()).toMatchObject({ ...asNew, left: { step: 'serving' } });
  });

  test('goes back before the next step when it is interrupted', async () => {
    const model = await modelWith();
    const order = { ...model.order, signal: AbortSignal.abort() };
    expect(await model.until(beginUpgrade(order, 'new.deb'))).toBe(1);
    expect(await model.state()).toEqual(asBefore);
  });

  test('is not begun while another one is under way or was left', async () => {
    const model = await modelWith();
    await model.until(beginUpgrade(model.order, 'new.deb'), { call: 5, when: 'before' });
    await expect(beginUpgrade(model.order, 'new.deb')).rejects.toThrow('florin upgrade --resume goes on');
    const other = await modelWith();
    await expect(resumeUpgrade(other.order)).rejects.toThrow('No upgrade is under way');
  });
});

describe('an upgrade that is killed before or in the middle of any call', () => {
  test.each<[string, Fault[]]>([
    ['that would succeed', []],
    ['that goes back after the migrations', ['audit']],
    ['that goes back after its trial', ['trial']],
  ])('%s ends as it should by --resume and by --back, after a reboot or without one', async (_, faults) => {
    const whole = await modelWith(...faults);
    await whole.until(beginUpgrade(whole.order, 'new.deb'));
    const calls = whole.calls();
    expect(calls).toBeGreaterThan(15);
    // The first call takes the package, before anything is written down.
    for (let call = 2; call <= calls; call++) {
      for (const [when, isRebooted, way] of [
        ['before', false, resumeUpgrade],
        ['before', true, backOutOfUpgrade],
        ['inTheMiddle', true, resumeUpgrade],
        ['inTheMiddle', false, backOutOfUpgrade],
        ['after', true, resumeUpgrade],
        ['after', false, backOutOfUpgrade],
      ] as const) {
        const model = await modelWith(...faults);
        expect(await model.until(beginUpgrade(model.order, 'new.deb'), { call, when })).toBe('killed');
        if (isRebooted) await model.reboot();
        await model.until(way(model.order));
        const { lost, left, installed, schema, running } = await model.state();
        const where = `killed ${when} ${call}, ${isRebooted ? 'rebooted, ' : ''}${way.name}`;
        expect({ where, lost, running, isOfOne: installed === schema }).toEqual({
          ...{ where, lost: [], running: 'serving', isOfOne: true },
        });
        // Only a new version that has served is not gone back from.
        if (left !== null)
          expect({ where, left, installed }).toMatchObject({ left: { step: 'serving' }, installed: 'new' });
        else if (way === backOutOfUpgrade || faults.length > 0)
          expect({ where, installed }).toEqual({ where, installed: 'old' });
        else expect({ where, installed }).toEqual({ where, installed: 'new' });
      }
    }
  });
});
