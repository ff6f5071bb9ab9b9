import { type Case, describeFigure, type Figure, meanFigure } from './result.ts';

export type Kind = { name: string; measure: () => Promise<Figure> };

export type PairsOptions = {
  name: string;
  /** What each of the others is compared with. */
  base: Kind;
  others: Kind[];
  rounds: number;
  /** How many times the CPU of `base` an operation may take. */
  most: number;
};

/**
 * Measures kinds of operations by turns in many short rounds, in another order each time. A pair is the CPU time of an
 * operation, of all processes, beside that of `base` in the same round: what else the machine does meanwhile affects both.
 */
export async function measurePairs(options: PairsOptions, progress: (line: string) => void): Promise<Case[]> {
  const { name, base, others, rounds, most } = options;
  const kinds = [base, ...others];
  const orders = ordersOf(kinds);
  const measured = new Map(kinds.map((kind) => [kind, [] as Figure[]]));
  for (let round = 0; round < rounds; round++) {
    for (const kind of orders[round % orders.length] ?? []) {
      measured.get(kind)?.push(await kind.measure());
    }
  }
  return others.map((kind) => {
    const own = measured.get(kind) ?? [];
    const beside = measured.get(base) ?? [];
    const ratios = own.flatMap((figure, round) => ratioOf(figure, beside[round]) ?? []);
    const figures = { gateway: meanFigure(own), [base.name]: meanFigure(beside) };
    for (const [who, figure] of Object.entries(figures)) {
      progress(`${name}, ${who === 'gateway' ? kind.name : who}: ${describeFigure(figure)}`);
    }
    const runs = {
      gateway: own.map(({ perSecond }) => perSecond),
      [base.name]: beside.map(({ perSecond }) => perSecond),
    };
    const cpuPairs = { against: base.name, ratios, most };
    return { name: `${name}, ${kind.name}`, figures, runs, ratios: [], limits: {}, cpuPairs };
  });
}

/** All orders of some items. */
export function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) =>
    ordersOf(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

/** Null where a system does not count CPU time, or counted none in so short a round. */
function ratioOf({ cpuUs: own }: Figure, base: Figure | undefined): number | null {
  const beside = base?.cpuUs;
  if (!own || !beside || beside.gateway + beside.postgres === 0) return null;
  return (own.gateway + own.postgres) / (beside.gateway + beside.postgres);
}

/** The median, and the bounds between which the middle half lies. */
export function spreadOf(values: readonly number[]): { median: number; low: number; high: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number): number => {
    const place = part * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    return below + (above - below) * (place % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
