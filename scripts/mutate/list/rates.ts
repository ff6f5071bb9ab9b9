import type { Mutation } from '../mutation.ts';

const at = (path: string) => `gateway/src/rates/${path}`;
const rule = at('rule.ts');

/** Which rate of a coin holds, and which one held. */
export const rates: readonly Mutation[] = [
  {
    name: 'rates/median-of-two',
    file: rule,
    find: 'const lower = group[(group.length - 1) >> 1]?.units ?? 0n;',
    replace: 'const lower = group[group.length >> 1]?.units ?? 0n;',
    harm: 'Of two sources the higher one alone says what coins are worth.',
  },
  {
    name: 'rates/age',
    file: rule,
    find: 'at.getTime() >= oldest && units > 0n',
    replace: 'at.getTime() >= oldest - 60_000 && units > 0n',
    harm: 'A price is paid at a rate of minutes ago.',
  },
  {
    name: 'rates/age-of-a-cross',
    file: rule,
    find: 'export const fiatSeconds = 96 * 3600;',
    replace: 'export const fiatSeconds = 960 * 3600;',
    harm: 'A price is crossed by a rate of last month.',
  },
  {
    name: 'rates/agreement',
    file: rule,
    find: 'larger * 100n <= smaller * 102n;',
    replace: 'larger * 100n <= smaller * 110n;',
    harm: 'Sources of which one is wrong by a tenth make a rate together.',
  },
  {
    name: 'rates/two-groups',
    file: rule,
    find: 'if (last >= first + size) return',
    replace: 'if (last > first + size) return',
    harm: 'Two halves that disagree make a rate in between, which nobody said.',
  },
  {
    name: 'rates/two-at-least',
    file: rule,
    find: 'const least = coinSources === 1 ? 1 : 2;',
    replace: 'const least = coinSources <= 2 ? 1 : 2;',
    harm: 'Of two sources the one that still answers is believed alone.',
  },
  {
    name: 'rates/split-passed-over',
    file: rule,
    find: "straight.why === 'split' || !throughUsd",
    replace: '!throughUsd',
    harm: 'Where sources disagree about a pair its rate is taken from elsewhere.',
  },
  {
    name: 'rates/typed-until-its-end',
    file: rule,
    find: 'if (typed && typed.at <= now && now < typed.endsAt)',
    replace: 'if (typed && typed.at <= now)',
    harm: 'A rate that an operator typed for a day holds for ever.',
  },
  {
    name: 'rates/cross-rounded',
    file: 'gateway/src/money/rate-units.ts',
    find: 'half(a * b, one);',
    replace: '(a * b) / one;',
    harm: 'Each cross is a little less than the product of its parts.',
    tests: [at('rule.test.ts')],
  },
  {
    name: 'rates/old-value',
    file: at('heard.ts'),
    find: 'at: isOld ? at : now',
    replace: 'at: isOld ? now : now',
    harm: 'A source that hands on the value of last week passes for fresh.',
    tests: [at('sources/sources.test.ts')],
  },
  {
    name: 'rates/earlier-stays',
    file: at('sql.ts'),
    find: 'at = coalesce(excluded.at, a.at)',
    replace: 'at = coalesce(excluded.at, now())',
    harm: 'A source that says nonsense keeps its last rate fresh.',
    tests: [at('ask.test.ts')],
  },
  {
    name: 'rates/past',
    file: at('history.ts'),
    find: ' AND at <= w.at\n',
    replace: '\n',
    harm: 'The value of a line of the books follows the rate of today.',
  },
  {
    name: 'rates/accounting-currency-since',
    file: at('history.ts'),
    find: 'integration_id = $1 AND since <= w.at ORDER BY',
    replace: 'integration_id = $1 ORDER BY',
    harm: 'Lines of last year become lines in another currency.',
  },
];
