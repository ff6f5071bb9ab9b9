import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerEach } from './own-transfers.ts';

const fitting = fc.record({
  token: fc.constantFrom('usdc', 'usdt'),
  from: fc.constantFrom('own', 'other'),
  to: fc.constantFrom('jane', 'john'),
  units: fc.bigInt(1n, 2n),
});
const block = fc.bigInt(1n, 6n);
const refunds = fc.array(fc.record({ what: fitting, after: block, isCancelled: fc.boolean() }), {
  maxLength: 8,
});
const transfers = fc.array(fc.record({ what: fitting, block }), { maxLength: 8 });

test('each transfer answers at most one refund, each refund has at most one, and none that fits is left', async () => {
  await fc.assert(
    fc.asyncProperty(refunds, transfers, async (asked, sent) => {
      const waiting = asked.map(({ what, ...refund }, id) => ({ ...what, ...refund, id }));
      const made = sent
        .map(({ what, ...transfer }, key) => ({ ...what, ...transfer, key }))
        .sort((a, b) => (a.block < b.block ? -1 : a.block > b.block ? 1 : 0));
      type Refund = (typeof waiting)[number];
      const fits = (refund: Refund, transfer: (typeof made)[number]): boolean =>
        refund.token === transfer.token &&
        refund.from === transfer.from &&
        refund.to === transfer.to &&
        refund.units === transfer.units &&
        transfer.block > refund.after;
      const pairs: [Refund, (typeof made)[number]][] = [];
      await answerEach(waiting, made, async (refund, transfer) => {
        if (!refund.isCancelled) pairs.push([refund, transfer]);
        return !refund.isCancelled;
      });
      for (const [refund, transfer] of pairs) expect(fits(refund, transfer)).toBe(true);
      const [answered, used] = [pairs.map(([{ id }]) => id), pairs.map(([, { key }]) => key)];
      expect(new Set(answered).size).toBe(pairs.length);
      expect(new Set(used).size).toBe(pairs.length);
      const open = waiting.filter(({ id, isCancelled }) => !isCancelled && !answered.includes(id));
      const left = made.filter(({ key }) => !used.includes(key));
      expect(open.filter((refund) => left.some((transfer) => fits(refund, transfer)))).toEqual([]);
    }),
  );
});
