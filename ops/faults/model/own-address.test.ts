import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forwarderAddress } from '../../../gateway/src/rails/evm/addresses/forwarders.ts';
import { splitterAddress } from '../../../gateway/src/rails/evm/addresses/splitters.ts';
import type { Order } from '../parties/journal.ts';
import type { Hex } from '../world/world.ts';
import { splitsFor } from './direct.ts';
import { depositOf, splitOf } from './own-address.ts';

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((each): Hex => `0x${Buffer.from(each).toString('hex')}`)
    .filter((each) => !/^0x0*$/.test(each));

test('the model and Florin derive the same addresses, each by its own code', () => {
  fc.assert(
    fc.property(hex(20), hex(20), fc.nat(9_999), fc.uuid(), (merchant, host, points, payment) => {
      const { splitter } = splitOf(merchant, host, BigInt(points));
      expect(splitter).toBe(splitterAddress({ merchant, host, basisPoints: points }));
      expect(depositOf(splitter, payment)).toBe(forwarderAddress(splitter, payment));
    }),
    { numRuns: 20 },
  );
});

test('an order has the address that held when it was made or shown, or either about a change', () => {
  const own = [
    { address: '0x01', key: '0x', fromMs: 0 },
    { address: '0x02', key: '0x', fromMs: 1_000_000 },
  ] as const;
  const heldAt = (askedMs: number, shownMs = askedMs) => {
    const order = { askedMs, shownMs } as Order;
    const split = (merchant: Hex) => ({ merchant, host: '0x03', splitter: '0x04' }) as const;
    return splitsFor(order, own, split).map(({ merchant }) => merchant);
  };
  expect([heldAt(500_000), heldAt(1_500_000)]).toEqual([['0x01'], ['0x02']]);
  expect([heldAt(1_000_010), heldAt(500_000, 1_500_000)]).toEqual([
    ['0x01', '0x02'],
    ['0x01', '0x02'],
  ]);
});
