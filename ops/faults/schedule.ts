import { createRandom, type Random } from '../../gateway/test/fuzz/random.ts';
import type { Kind } from './breaks/kind.ts';
import { kinds } from './breaks/kinds.ts';
import type { Break, Shape, Target } from './world/world.ts';

/** How long a schedule takes, in milliseconds: breaks that began in this time may end a little later. */
export const scheduleMs = 4_500;
const firstMs = 200;
/** How many breaks a seed has. */
const breaks = { least: 3, most: 9 };
/** In so many of all cases a break begins while the one before it lasts. */
const overlapShare = 0.5;
const tries = 50;

/** So many seeds, one after the other, are of one shape, so that they can have one world. */
const seedsOfShape = 25;
const shapes: readonly Shape[] = [
  { gateways: 'two', wallets: 'embedded' },
  { gateways: 'workers', wallets: 'embedded' },
  { gateways: 'two', wallets: 'backend' },
];

/** The shape of the world in which a seed plays. */
export function shapeOf(seed: number): Shape {
  const shape = shapes[Math.floor((seed - 1) / seedsOfShape) % shapes.length];
  if (!shape) throw new Error('Seeds begin with 1');
  return shape;
}

/** The breaks of a seed, in the order in which they begin: the same for the same seed. */
export function drawSchedule(seed: number): Break[] {
  const random = createRandom(seed, 1);
  const shape = shapeOf(seed);
  const drawn: Break[] = [];
  const wanted = breaks.least + random.int(breaks.most - breaks.least + 1);
  for (let tried = 0; drawn.length < wanted && tried < tries; tried++) {
    const broken = drawOne(random, shape, drawn.at(-1));
    if (!drawn.some((each) => areTogether(each, broken) && takeTheSame(each, broken))) drawn.push(broken);
  }
  return drawn.sort((one, other) => one.atMs - other.atMs);
}

function drawOne(random: Random, shape: Shape, before: Break | undefined): Break {
  const fitting = [...kinds].filter(([, { fits }]) => fits?.(shape) ?? true);
  const [name, kind] = random.pick(
    fitting.flatMap((each) => Array.from({ length: each[1].weight }, () => each)),
  );
  const within = before && random.chance(overlapShare);
  const atMs = within ? before.atMs + random.int(before.forMs) : firstMs + random.int(scheduleMs - firstMs);
  const [least, most] = kind.forMs;
  const forMs = least + random.int(most - least);
  const target = random.pick(kind.targets.filter((each) => isIn(each, shape)));
  return { kind: name, target, atMs, forMs, share: random.int(2 ** 20) / 2 ** 20 };
}

function isIn(target: Target, { gateways, wallets }: Shape): boolean {
  if (target === 'gateway-2') return gateways === 'two';
  return target !== 'wallets' || wallets === 'backend';
}

/** A break takes a moment to begin and to end: what takes the same leaves it that. */
const marginMs = 100;

function areTogether(one: Break, other: Break): boolean {
  return one.atMs < other.atMs + other.forMs + marginMs && other.atMs < one.atMs + one.forMs + marginMs;
}

function takeTheSame(one: Break, other: Break): boolean {
  const [first, second] = [one, other].map(takenBy);
  return first?.some((each) => second?.includes(each)) ?? false;
}

function takenBy(broken: Break): string[] {
  const kind: Kind | undefined = kinds.get(broken.kind);
  return [`${broken.kind} of ${broken.target}`, ...(kind?.takes?.(broken) ?? [])];
}

/** One line for each break, as a failure prints them. */
export function linesOf(schedule: readonly Break[]): string[] {
  const seconds = (ms: number) => (ms / 1000).toFixed(2);
  return schedule.map(
    ({ kind, target, atMs, forMs, share }, at) =>
      `${at + 1}. ${target}: ${kind}, from ${seconds(atMs)} s to ${seconds(atMs + forMs)} s (${share})`,
  );
}
