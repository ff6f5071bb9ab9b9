import { createRandom, type Random } from '../../../gateway/test/fuzz/random.ts';
import type { BreakableWorld } from '../world/start.ts';
import type { Break, Shape, Target } from '../world/world.ts';

/** Puts right what a break did. */
export type Mend = () => Promise<unknown> | unknown;

/** One way in which something breaks. */
export type Kind = {
  targets: readonly Target[];
  /** How long it may last, in milliseconds. */
  forMs: readonly [least: number, most: number];
  /** How often it is drawn, among all. */
  weight: number;
  /** What else it takes: two breaks that take the same never overlap. Each takes its own kind at its target. */
  takes?(broken: Pick<Break, 'target'>): string[];
  /** What the shape must have; absent: nothing. */
  fits?(shape: Shape): boolean;
  /** Resolves when it has begun. Null: this world cannot be broken so. */
  begin(world: BreakableWorld, broken: Break): Promise<Mend | null>;
};

/** The numbers that say the rest of a break. */
export const randomOf = ({ share }: Pick<Break, 'share'>): Random =>
  createRandom(Math.floor(share * 2 ** 31), 0);
