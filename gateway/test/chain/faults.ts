import { type EndpointFault, hidesLogs, isLie } from './endpoint.ts';
import type { Game } from './game.ts';
import type { Step } from './steps.ts';
import type { World } from './world.ts';

// Which endpoints may be broken in which way, so that the truth can be known in the end: at most a minority lies.

/** What one endpoint alone may say and be put right later: what it hides is read again, and a balance looked at again. */
const bearable: ReadonlySet<EndpointFault> = new Set<EndpointFault>([
  ...([
    'empty logs',
    'missing logs',
    'truncated logs',
    'no balance',
    'empty balance',
    'more balance',
  ] as const),
]);
/** What only the second reading or a recheck puts right ends before the last of them, an hour later. */
const lapseMs = 30 * 60_000;

/** What of a schedule faults of endpoints concern. */
export type Brittle = Pick<Game, 'lapses' | 'isBlind' | 'isMisled'> & {
  world: Pick<World, 'endpoints' | 'driver'> & { tokens: Pick<World['tokens'], 'usdc-bep20'> };
  setting: Pick<Game['setting'], 'endpoints' | 'liar' | 'isBelieved'>;
  shop: Pick<Game['shop'], 'clock'>;
  paid: readonly Pick<Game['paid'][number], 'address'>[];
};

const endpointsOf = ({ world, setting }: Brittle) => world.endpoints.slice(0, setting.endpoints);

/** Breaks an endpoint, unless too many would be broken then. */
export function breakOne(game: Brittle, { endpoint, fault, seed }: Extract<Step, { do: 'break' }>): void {
  const { world, setting, paid } = game;
  const all = endpointsOf(game);
  const broken = all[(isLie(fault) ? setting.liar : endpoint) % all.length]!;
  const others = all.filter((each) => each !== broken);
  if (!mayBreak(game, others, fault)) return;
  const { base, head, hashes } = world.driver.view();
  const block = { number: BigInt(head), hash: hashes[head - base]! };
  const { address: to } = paid[endpoint % paid.length]!;
  broken.breaks(fault, { token: world.tokens['usdc-bep20'], to, units: 10n ** 19n, block, seed });
  if (hidesLogs(fault) && (all.length === 1 || others.some((each) => each.broken().some(hidesLogs)))) {
    game.isBlind = true;
  }
  const lapses = fault === 'late logs' || (all.length === 1 && isLie(fault));
  if (lapses) game.lapses.push({ at: game.shop.clock.now().getTime() + lapseMs, endpoint: broken });
}

function mayBreak(game: Brittle, others: Game['world']['endpoints'], fault: EndpointFault) {
  const { setting } = game;
  if (setting.endpoints === 1) return !isLie(fault) || bearable.has(fault);
  const liar = others.find((each) => each.broken().some(isLie));
  // What one hides on purpose and the other has not yet, two do not have.
  const hidden = others.flatMap((each) => each.broken()).filter(hidesLogs);
  if (hidesLogs(fault) && hidden.some((each) => isLie(each) || isLie(fault))) return false;
  if (!isLie(fault) && !liar) return true;
  const honest = others.filter((each) => each !== liar);
  if (honest.some((each) => each.broken().length === 0)) return true;
  if (setting.isBelieved) game.isBlind = true;
  if (setting.isBelieved) game.isMisled = true;
  return setting.isBelieved;
}

/** All endpoints are silent. */
export function cut(game: Brittle): void {
  for (const endpoint of endpointsOf(game)) endpoint.mend();
  for (const endpoint of [0, 1, 2].slice(0, game.setting.endpoints)) {
    breakOne(game, { do: 'break', endpoint, fault: 'dead', seed: 0 });
  }
}

export function mendAll({ world }: Pick<Brittle, 'world'>): void {
  for (const endpoint of world.endpoints) endpoint.mend();
}

/** Mends what would otherwise be believed for too long, before the clock comes to `ms`. */
export function lapse(game: Brittle, ms: number): void {
  for (const { endpoint } of game.lapses.filter(({ at }) => at <= ms)) endpoint.mend();
  game.lapses = game.lapses.filter(({ at }) => at > ms);
}
