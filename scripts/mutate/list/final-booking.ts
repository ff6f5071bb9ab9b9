import type { Mutation } from '../mutation.ts';

const at = (path: string) => `gateway/src/rails/evm/scan/${path}`;
const backing = at('final/backing.test.ts');
const reorg = at('blocks/reorg.test.ts');
const scanner = at('scanner.test.ts');

export const finalBooking: readonly Mutation[] = [
  {
    name: 'final-booking/balance-once',
    file: at('final/backing.ts'),
    find: 'spent.set(key, (spent.get(key) ?? 0n) + units);',
    replace: '',
    harm: 'Two transfers are credited for one that the address holds.',
  },
  {
    name: 'final-booking/part-of-a-log',
    file: at('final/backing.ts'),
    find: 'left < transfer.units ? left : transfer.units;',
    replace: 'transfer.units;',
    harm: 'A token that keeps a fee is credited in full.',
  },
  {
    name: 'final-booking/swept',
    file: at('final/backing.ts'),
    find: 'THEN units ELSE -units END',
    replace: 'THEN units ELSE 0 END',
    harm: 'After a sweep no deposit to the same address is credited any more.',
    tests: [at('final/swept.test.ts')],
  },
  {
    name: 'final-booking/doubted-alone',
    file: at('final/booking.ts'),
    find: 'of [...unclear, ...doubted])',
    replace: 'of unclear)',
    harm: 'What a single endpoint doubted is never looked at again, and never credited.',
    tests: [backing],
  },
  {
    name: 'final-booking/another-endpoint',
    file: at('final/final.ts'),
    find: 'agreement.askAnother([last.endpoint], ask);',
    replace: 'agreement.askAnother([], ask);',
    harm: 'The endpoint that showed a transfer confirms it: one that lies has money credited.',
    tests: [at('final/misread.test.ts'), at('blocks/agreement.test.ts')],
  },
  {
    name: 'final-booking/same-content',
    file: at('final/final.ts'),
    find: 'if (sameTransfers(inWindow, reading.ours))',
    replace: 'if (inWindow.length === reading.ours.length)',
    harm: 'Transfers are credited on whose amounts two endpoints disagree.',
    tests: [at('final/misread.test.ts'), at('blocks/agreement.test.ts')],
  },
  {
    name: 'final-booking/denied',
    file: at('final/confirm.ts'),
    find: 'await markGone(tx, held.chainId, denied);',
    replace: '',
    harm: 'What a single endpoint made up stays credited after another one denied it.',
  },
  {
    name: 'final-booking/orphans',
    file: at('blocks/reorg.ts'),
    find: "(state <> 'gone' AND block_hash = ANY ($3))",
    replace: "(state = 'seen' AND block_hash = ANY ($3))",
    harm: 'What was final stays credited after its block has left the chain.',
    same: 'a chain as long as before has final blocks in its place, which deny it in the same round',
  },
  {
    name: 'final-booking/two-say-it-left',
    file: at('blocks/reorg.ts'),
    find: 'if (upTo < seen.number || isBelow(fork.ancestor, final))',
    replace: 'if (upTo < seen.number)',
    harm: 'A single endpoint on a fork of its own has final payments reversed.',
    tests: [reorg, at('blocks/agreement.test.ts')],
  },
  {
    name: 'final-booking/new-content-new-id',
    file: at('blocks/transfers.ts'),
    find: 'THEN t.ledger_id ELSE excluded.ledger_id END',
    replace: 'THEN t.ledger_id ELSE t.ledger_id END',
    harm: 'A transfer that comes back with another amount is taken for the one that was booked.',
    tests: [at('final/misread.test.ts'), reorg, at('final/recheck.test.ts')],
  },
  {
    name: 'final-booking/credited-units',
    file: at('blocks/transfers.ts'),
    find: 'confirmations = $2, units = k.units,',
    replace: 'confirmations = $2, units = t.units,',
    harm: 'The whole log is credited though the token holds a part of it.',
    tests: [backing],
  },
  {
    name: 'final-booking/seen-is-not-final',
    file: at('final/final.ts'),
    find: 'const end = target < seen.number ? target : seen.number;',
    replace: 'const end = seen.number;',
    harm: 'Transfers are credited with too few confirmations.',
    tests: [scanner],
    same: 'the endpoint that reads the blocks again says itself how far they are final',
  },
];
