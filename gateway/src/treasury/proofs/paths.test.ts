import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPath } from '../../../../web/proof/check.ts';
import type { ProofPath, Statement } from '../../../../web/proof/statement.ts';
import { madeUpStatement, pathIn } from '../../../test/proofs/proof-fixtures.ts';

const balances = fc.array(fc.bigInt({ min: 1n, max: 10n ** 30n }), { minLength: 1, maxLength: 40 });
const runs = { numRuns: 60 };

describe('the path of a balance', () => {
  /** What the checker says of the path of one of the accounts, changed as a forger would. */
  async function faultsOf(
    units: readonly bigint[],
    at: number,
    forge: (path: ProofPath, statement: Statement) => void,
  ): Promise<string[]> {
    const made = await madeUpStatement(units);
    const path = structuredClone(await pathIn(made, at % units.length));
    const statement = structuredClone(made.statement);
    forge(path, statement);
    return checkPath(statement, path).map(({ code }) => code);
  }

  test('leads to the root, whatever the balances are', async () => {
    const found = fc.asyncProperty(balances, fc.nat(), async (units, at) => {
      expect(await faultsOf(units, at, () => {})).toEqual([]);
    });
    await fc.assert(found, runs);
  });

  test('also where a tree has several rows of nodes', async () => {
    const made = await madeUpStatement(Array.from({ length: 1_500 }, (_, at) => BigInt(at + 1)));
    expect(made.tree.chunks).toHaveLength(2_048 / 64 + 1);
    for (const at of [0, 700, 1_499]) expect(checkPath(made.statement, await pathIn(made, at))).toEqual([]);
  });

  const only = (path: ProofPath) => path.leaves[0]!;

  test.each<[string, string, (path: ProofPath, statement: Statement) => void]>([
    [
      'a balance that was lowered',
      'leaf',
      (path) => {
        only(path).units = `${BigInt(only(path).units) - 1n}`;
      },
    ],
    [
      'another account',
      'leaf',
      (path) => {
        only(path).account = 'user:other';
      },
    ],
    [
      'another salt',
      'leaf',
      (path) => {
        only(path).salt = '0'.repeat(64);
      },
    ],
    [
      'a sum of the statement that was lowered',
      'sum',
      (_, { assets: [asset] }) => {
        asset!.sum = '0';
      },
    ],
    [
      'a root that was changed',
      'leaf',
      (_, { assets: [asset] }) => {
        asset!.root = 'f'.repeat(64);
      },
    ],
    [
      'a negative balance',
      'negative',
      (path) => {
        only(path).units = '-1';
      },
    ],
    [
      'an asset that was left out',
      'no_leaf',
      (_, statement) => {
        statement.assets = [];
      },
    ],
    [
      'no balance at all',
      'no_leaf',
      (path) => {
        path.leaves = [];
      },
    ],
    [
      'another statement',
      'other_statement',
      (path) => {
        path.statement = 'other';
      },
    ],
  ])('refuses %s', async (_, code, forge) => {
    const found = fc.asyncProperty(balances, fc.nat(), async (units, at) => {
      expect(await faultsOf(units, at, forge)).toEqual([code]);
    });
    await fc.assert(found, runs);
  });

  test('refuses each change of a node beside the way', async () => {
    const found = fc.asyncProperty(balances, fc.nat(), fc.nat(), async (units, at, which) => {
      if (units.length < 2) return;
      const faults = (change: (sibling: ProofPath['leaves'][0]['siblings'][0]) => void) =>
        faultsOf(units, at, (path) => change(only(path).siblings[which % only(path).siblings.length]!));
      expect(
        await faults((each) => {
          each.sum = `${BigInt(each.sum) + 1n}`;
        }),
      ).toEqual(['leaf']);
      expect(
        await faults((each) => {
          each.sum = '-1';
        }),
      ).toEqual(['negative']);
      expect(
        await faults((each) => {
          each.hash = '0'.repeat(64);
        }),
      ).toEqual(['leaf']);
      expect(
        await faults((each) => {
          each.side = each.side === 'left' ? 'right' : 'left';
        }),
      ).toEqual(['leaf']);
    });
    await fc.assert(found, runs);
  });

  test('a balance that was left out of the tree has no path in it', async () => {
    const found = fc.asyncProperty(balances, fc.bigInt({ min: 1n, max: 9n }), async (units, left) => {
      const whole = await madeUpStatement([...units, left]);
      const without = await madeUpStatement(units);
      const faults = checkPath(
        { ...without.statement, id: whole.statement.id },
        await pathIn(whole, units.length),
      );
      expect(faults.map(({ code }) => code)).toEqual(['leaf']);
    });
    await fc.assert(found, runs);
  });

  test('a host that takes a balance below zero into its tree is found out by the owner beside it', async () => {
    const made = await madeUpStatement([5n, 7n]);
    const path = await pathIn(made, 0);
    only(path).siblings[0]!.sum = '-7';
    expect(checkPath(made.statement, path)[0]).toMatchObject({ code: 'negative' });
  });
});
