import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DirectRead, Moved } from '../reading.ts';
import { judgeDirect } from './direct.ts';

const asset = 'usdc-bep20';
const [splitter, host, merchant] = ['0x5b', '0x05', '0x0e'] as const;
const split = { splitter, host, merchant };

/** What was paid to deposit addresses, each swept and released by a transaction of its own. */
function settled(paid: readonly bigint[]): DirectRead {
  const deposits = new Map(paid.map((_, n) => [`0xd${n}`, split]));
  const moves = paid.flatMap((units, n): Moved[] => {
    const [deposit, toHost] = [`0xd${n}`, units / 100n];
    const shared = { asset, transaction: `release ${n}` };
    const move = (from: string, to: string, part: bigint) => ({
      ...shared,
      from,
      to,
      units: part,
      fine: part,
    });
    return [
      { ...move('a customer', deposit, units), transaction: `transfer ${n}` },
      ...[move(deposit, splitter, units), move(splitter, host, toHost)],
      move(splitter, merchant, units - toHost),
    ];
  });
  const sum = paid.reduce((all, each) => all + each, 0n);
  return {
    ...{ deposits, splits: [split], strange: [], moves, held: new Map([[asset, sum]]) },
    onTheWay: new Map([[asset, 0n]]),
  };
}

const said = (read: DirectRead): string[] =>
  judgeDirect(read, new Map()).map(({ kind, said: why }) => `${kind}: ${why}`);
const paid = fc.array(fc.bigInt({ min: 1n, max: 10n ** 24n }), { minLength: 1, maxLength: 5 });

test('what arrived at both sides to the unit has no objection', () => {
  fc.assert(
    fc.property(paid, (units) => {
      expect(said(settled(units))).toEqual([]);
    }),
  );
});

describe('found is', () => {
  const cases: [string, (read: DirectRead) => void, RegExp][] = [
    [
      'money that was not swept',
      ({ moves }) => void moves.splice(1, 3),
      /^lost: 1003 units .* is still on the way$/,
    ],
    [
      'money that was not released',
      ({ moves }) => void moves.splice(2, 2),
      /^lost: 1003 units .* is still on the way$/,
    ],
    [
      'a deposit that went to somebody else',
      ({ moves }) => {
        moves[1]!.to = '0xbad';
      },
      /^wrong: 1003 units of usdc-bep20 left the direct address 0xd0 for 0xbad by release 0$/,
    ],
    [
      'a unit too much for the host',
      ({ moves }) => {
        moves[2]!.units += 1n;
        moves[3]!.units -= 1n;
      },
      /^wrong: of the release release 0 of usdc-bep20 the host got 11 units and not 10$/,
    ],
    [
      'less at both sides than was released',
      ({ held }) => void held.set(asset, 0n),
      /^lost: .* have 0 more than before and not/,
    ],
    [
      'a release that was booked twice, or not at all',
      ({ onTheWay }) => void onTheWay?.set(asset, -(10n ** 18n)),
      /^wrong: usdc-bep20: all was released, and -1 are said to be on the way$/,
    ],
    [
      'an address that leads elsewhere',
      ({ strange }) => void strange.push({ reference: 'R1-1-0', address: '0xbad' }),
      /^wrong: R1-1-0 was shown 0xbad, which follows from no address of its merchant$/,
    ],
  ];
  test.each(cases)('%s', (_, change, why) => {
    const read = settled([1003n]);
    change(read);
    expect(said(read)).toEqual(expect.arrayContaining([expect.stringMatching(why)]));
  });
});
