import { expect, test } from 'vitest';
import { closeGame, type Game, openGame } from './pi/game.ts';
import { checkAgainstNetwork } from './pi/oracle.ts';
import { play, round, settleDown, workOnAll } from './pi/play.ts';
import type { Deal, Deposit, Step } from './pi/steps.ts';
import { openWorld } from './pi/world.ts';

// One process after the other does all that there is to do, and ends after an exchange: the first one after its
// first, the next one after its next, until one lives through all of it. Whoever comes then finds new things beside
// what was left undone. `npm run test:soak` stops at every exchange, and `npm test` at every sixteenth.

const stride = process.env.SOAK ? 1 : 16;

const deposit = (marking: Deposit['marking'], ...ops: Deposit['operations'][number]['op'][]): Deposit => ({
  ...{ do: 'deposit', payer: 0, payment: 0, marking, fails: false },
  operations: ops.map((op) => ({ op, share: { thousandths: 100, dust: 1 } })),
});
const deal = (what: Deal['what'], at: number): Step => ({
  ...{ do: 'deal', what, deal: at, payment: at, user: at, isRight: true, who: 1, disturbance: null },
});

/** Something of everything: money for payments and for nobody, money that leaves, and a payment in the Pi Browser. */
async function happen(game: Game, at: number): Promise<void> {
  const steps: Step[] = [
    { do: 'create', amount: 10 },
    {
      do: 'ledger',
      transactions: [
        { ...deposit('memo', 'payment', 'merge'), payment: at },
        deposit('none', 'path send'),
        { do: 'withdraw', how: 'several', units: 1000 },
      ],
    },
    { do: 'decide', how: 'return', deposit: 0, payment: 0, to: 'payer' },
    ...[deal('begin', at), deal('approve', at), deal('pay', at)],
  ];
  for (const step of steps) await play(game, step);
}

test('a gateway that is killed after any exchange of its own leaves the same in the end', async () => {
  const game = await openGame(await openWorld(), { horizons: 1, first: 0, isDemo: false, aheadSeconds: 0 });
  try {
    let isKilled = true;
    let exchanges = 0;
    for (let at = 0; isKilled; at++) {
      await happen(game, at);
      const before = game.processes[0];
      await round(game, 0, { at: exchanges, what: 'killed after' }, workOnAll);
      isKilled = game.processes[0] !== before;
      exchanges += stride;
    }
    expect(exchanges).toBeGreaterThan(100);
    await settleDown(game);
    await checkAgainstNetwork(game);
  } finally {
    await closeGame(game);
  }
}, 900_000);
