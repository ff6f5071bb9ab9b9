import type { Mutation } from '../mutation.ts';

const at = (path: string) => `gateway/src/${path}`;
const reports = at('networks/take-reports.test.ts');

/** What keeps the money of test networks and live money apart. */
export const testnets: readonly Mutation[] = [
  {
    name: 'testnets/booked-in-its-mode',
    file: at('networks/take-reports.ts'),
    find: 'mode: deps.assets.modeOf(asset),\n',
    replace: "mode: deps.assets.modeOf(asset) && 'live',\n",
    harm: 'What test networks show is booked as live money.',
    tests: [reports],
  },
  {
    name: 'testnets/payment-of-its-mode',
    file: at('payments/settlement/observe.ts'),
    find: "if (mode === own || (own === 'live' && takenAt === undefined)) return;",
    replace: 'if (mode === own || takenAt !== undefined) return;',
    harm: 'Live money of a network pays a test payment, or coins without value pay a live one.',
    tests: [reports],
  },
  {
    name: 'testnets/address-of-its-mode',
    file: at('rails/evm/scan/blocks/match.ts'),
    find: ' AND is_test = $2',
    replace: ' AND ($2 OR true)',
    harm: 'Money at an address counts on chains of both modes.',
    tests: [at('rails/evm/scan/blocks/match.test.ts')],
  },
];
