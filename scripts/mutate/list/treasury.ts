import type { Mutation } from '../mutation.ts';

const at = (path: string) => `gateway/src/treasury/${path}`;
const moves = at('moves.test.ts');

export const treasury: readonly Mutation[] = [
  {
    name: 'treasury/move-once',
    file: 'gateway/src/ledger/reported.ts',
    find: "WHERE t.state = 'gone'\n",
    replace: '',
    harm: 'What left the treasury is booked twice when it is reported twice.',
    tests: [moves],
  },
  {
    name: 'treasury/move-back',
    file: at('moves.ts'),
    find: '? [ends.target, ends.source] : [ends.source, ends.target];',
    replace: '? [ends.target, ends.source] : [ends.target, ends.source];',
    harm: 'What a reorg brings back is booked as if it had left once more.',
  },
  {
    name: 'treasury/gone-is-unmatched',
    file: at('moves.ts'),
    find: "if (state === 'gone')\n    await tx.query('UPDATE treasury_moves",
    replace: "if (state === 'gone' && units < 0n)\n    await tx.query('UPDATE treasury_moves",
    harm: 'A payout stays paid by a transfer that has left its chain.',
    tests: [at('paid-by-hand.test.ts')],
  },
  {
    name: 'treasury/paid-after-its-export',
    file: at('paid-by-hand.ts'),
    find: " AND m.at >= date_trunc('second', e.created_at)",
    replace: '',
    harm: 'A transfer of last week passes for the payment of a payout of today.',
  },
  {
    name: 'treasury/assigned-once',
    file: at('assign.ts'),
    find: 'if (move.payout_id !== null || move.owner_kind !== null)',
    replace: 'if (move.payout_id !== null)',
    harm: 'What left is taken from two businesses.',
  },
  {
    name: 'treasury/assigned-to-a-user',
    file: at('assign.ts'),
    find: 'AND balance - held >= $3 FOR UPDATE',
    replace: 'AND balance >= $3 FOR UPDATE',
    harm: 'What left is taken from money that a withdrawal has set aside.',
  },
  {
    name: 'treasury/assigned-shortage',
    file: at('assign.ts'),
    find: 'return await coverShortage(tx, { owner: owner.id, mode }, [transfer], now);',
    replace: 'return [transfer];',
    harm: 'A business that has spent the money cannot be made to owe it.',
  },
  {
    name: 'treasury/restore-known',
    file: at('restore.ts'),
    find: "NOT m.ledger_id = ANY (coalesce(r.known_moves, '{}'))",
    replace: "m.ledger_id = ANY (coalesce(r.known_moves, '{}'))",
    harm: 'Payouts go on after a restore while some may be paid a second time.',
  },
];
