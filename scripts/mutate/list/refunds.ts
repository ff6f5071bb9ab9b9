import type { Mutation } from '../mutation.ts';

const at = (path: string) => `gateway/src/payments/${path}`;
const refundsTest = at('refunds/refunds.test.ts');

export const refunds: readonly Mutation[] = [
  {
    name: 'refunds/booked-net',
    file: at('settlement/booked.ts'),
    find: "add(asset, 'overpayment', -unsentUnits(refunds, asset));",
    replace: '',
    harm: 'What a refund under way holds is refunded once more.',
    tests: [refundsTest],
  },
  {
    name: 'refunds/owed-goes-to-suspense',
    file: at('settlement/refund-money.ts'),
    find: 'const isInShares = !isOwed && isOfCurrency',
    replace: 'const isInShares = isOfCurrency',
    harm: 'What an appeal gave to the customer goes to the business.',
    tests: [at('settlement/reversal-of-parts.test.ts')],
  },
  {
    name: 'refunds/above-limit-claimed',
    file: at('refunds/claim.ts'),
    find: "rule === 'approved' || refund.needsApproval ?",
    replace: "rule === 'approved' ?",
    harm: 'A refund above the limit of its key leaves without an approval once its customer claims it.',
    tests: [at('refunds/makers.test.ts')],
  },
  {
    name: 'refunds/limits-given-back',
    file: at('settlement/write.ts'),
    find: "({ id, status }) => status === 'cancelled' && stored",
    replace: "({ id, status }) => status === 'completed' && stored",
    harm: 'A refund that was cancelled counts in the limit of its day.',
    tests: [at('refunds/makers.test.ts')],
  },
  {
    name: 'refunds/late-of-the-same-amount',
    file: at('refunds/late.ts'),
    find: 'refund.units === units;',
    replace: 'units > 0n;',
    harm: 'A payment that left late ends the refund of another amount.',
  },
  {
    name: 'refunds/wallet-part-once',
    file: at('refunds/refundable.ts'),
    find: 'parts.set(wallet, atLeastZero((parts.get(wallet) ?? 0n) - units));',
    replace: 'parts.set(wallet, atLeastZero(parts.get(wallet) ?? 0n));',
    harm: 'A user gets back into the wallet what they got back before, out of what another customer paid.',
    tests: [at('refunds/wallets.test.ts')],
  },
  {
    name: 'refunds/link-of-another-currency',
    file: at('refunds/claim.ts'),
    find: 'if (!isOfCurrency(assets, payment, { asset })) return false;',
    replace: '',
    harm: 'Who has the link of a payment takes what came in another currency, whatever it is worth.',
    tests: [at('refunds/claim.test.ts'), refundsTest],
  },
  {
    name: 'refunds/merchant-approves-its-share',
    file: at('refunds/claim.ts'),
    find: "share === 0n ? 'never' : 'as set',",
    replace: "share === 0n ? 'as set' : 'never',",
    harm: "The merchant's money leaves without approval, and the customer's waits for one.",
    tests: [refundsTest, at('refunds/makers.test.ts')],
  },
  {
    name: 'refunds/fee-share',
    file: at('refunds/fee-share.ts'),
    find: 'const units = (2n * payment.fee * part + due) / (2n * due);',
    replace: 'const units = payment.fee;',
    harm: 'A refund of a part gives the whole fee back.',
    tests: [refundsTest],
  },
];
