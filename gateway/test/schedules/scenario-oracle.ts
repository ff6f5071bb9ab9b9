import fc from 'fast-check';
import {
  isOpen,
  type Model,
  modelDispute,
  modelExpire,
  modelFail,
  modelMissing,
  modelTime,
  modelTransfer,
} from './payment-model.ts';

// What the outcomes of the simulator are said to do, in plain words and numbers, apart from the data by which the
// gateway does it. Times are milliseconds, money whole units of a currency with six decimals.

const second = 1000;

export type Play = {
  size: 'success' | 'underpaid' | 'exchange_fee' | 'overpaid' | 'dust' | null;
  way: 'split' | 'wrong_token' | 'two_networks' | 'two_currencies' | null;
  pace: 'slow' | 'reorg' | null;
  late: boolean;
  dispute: boolean;
  /** Played by itself instead of all these. */
  alone: 'failure' | 'expire' | null;
  delaySeconds: number;
  /** What is sent in all, in thousandths of the amount due; null: what the outcomes say. */
  thousandths: number | null;
};

/** Every combination that there is. No delay ends at the moment at which a late window or a reorg's wait does. */
export const plays: fc.Arbitrary<Play> = fc
  .record({
    size: fc.constantFrom(
      null,
      null,
      'success' as const,
      'underpaid' as const,
      'exchange_fee' as const,
      'overpaid' as const,
      'dust' as const,
    ),
    way: fc.constantFrom(
      ...[null, null, 'split' as const, 'wrong_token' as const],
      ...['two_networks' as const, 'two_currencies' as const],
    ),
    pace: fc.constantFrom(null, null, 'slow' as const, 'reorg' as const),
    late: fc.boolean(),
    dispute: fc.boolean(),
    alone: fc.constantFrom(null, null, null, null, null, 'failure' as const, 'expire' as const),
    delaySeconds: fc.constantFrom(0, 0, 0, 45, 700, 2_000, 90_000),
    thousandths: fc.constantFrom(null, null, null, 1, 250, 500, 1000, 1500),
  })
  .map(
    (play): Play => ({
      ...play,
      way: play.size === 'dust' || (play.size === 'exchange_fee' && isFine(play)) ? null : play.way,
      thousandths: play.size === 'dust' || play.alone ? null : play.thousandths,
      dispute: play.dispute && canBePaid(play),
    }),
  )
  .filter((play) => namesOf(play).length > 0);

function canBePaid({ size, way, pace }: Omit<Play, 'alone'>): boolean {
  const stays = size !== 'underpaid' && size !== 'exchange_fee' && size !== 'dust' && pace !== 'reorg';
  return stays && way !== 'wrong_token' && way !== 'two_currencies';
}

/** What comes last in an asset with more decimals need not be rounded. */
const isFine = ({ way }: Pick<Play, 'way'>): boolean => way !== null && way !== 'split';

/** The outcomes as a request names them. */
export function namesOf({ size, way, pace, late, dispute, alone }: Play): string[] {
  if (alone) return [alone];
  return [dispute && 'dispute', late && 'late', pace, way, size].filter((name) => typeof name === 'string');
}

/** What the play sends in all, in units, when the payment stands like that. */
function totalOf({ size, way, thousandths }: Play, model: Model): number {
  if (thousandths !== null) return (model.due * thousandths) / 1000;
  // The exchange keeps 1 %; counted in 1024ths, which hold all fractions exactly.
  if (size === 'exchange_fee') return Math.ceil((modelMissing(model) * 1024 * 99) / 102_400);
  const [missing, round] = isFine({ way })
    ? [modelMissing(model), (units: number) => units]
    : [Math.ceil(modelMissing(model)), Math.floor];
  if (size === 'dust') return Math.min(missing, 1);
  if (size === 'underpaid') return round(missing / 2);
  return size === 'overpaid' ? round((missing * 3) / 2) : missing;
}

/** Why the play is refused; null when it is not. What is disputed at once is seen only when it is played. */
export function refusalOf(play: Play, model: Model): 'amount' | 'status' | null {
  const { size, thousandths, dispute, late, alone } = play;
  const missing = modelMissing(model);
  const canExpire = isOpen(model) || model.status === 'pending';
  if (alone) return canExpire ? null : 'status';
  const total = totalOf(play, model);
  if (thousandths !== null) {
    if ((size === 'underpaid' || size === 'exchange_fee') && total >= missing) return 'amount';
    if (size === 'overpaid' && total <= missing) return 'amount';
    if (dispute && total < missing) return 'amount';
  }
  if (late && !canExpire && model.status !== 'cancelled') return 'status';
  return total === 0 && (!dispute || late) ? 'status' : null;
}

export type Happening = { at: number; do: (model: Model) => boolean };

/** What will happen to the payment, in its order, when the play begins at `now`. `name` tells its transfers apart. */
export function happeningsOf(play: Play, model: Model, now: number, name: string): Happening[] {
  const begin = now + play.delaySeconds * second;
  const fail: Happening = { at: begin, do: modelFail };
  const expire = (at: number): Happening => ({ at, do: (later) => modelExpire(later, at) });
  if (play.alone) return [play.alone === 'failure' ? fail : expire(begin)];

  const sent = transfersOf(play, totalOf(play, model)).flatMap(({ units, counts }, index) =>
    shownOf(play, units, counts, begin + index * 30 * second, `${name} ${index}`),
  );
  const first = play.late && model.status !== 'cancelled' ? [expire(now)] : [];
  const all = [...first, ...sent.sort((one, other) => one.at - other.at)];
  const end = Math.max(...(sent.length > 0 ? sent.map(({ at }) => at) : [begin]));
  return play.dispute ? [...all, { at: end, do: (later) => modelDispute(later, end) }] : all;
}

/** `counts`: it is of the payment's currency. */
function transfersOf({ way }: Play, total: number): { units: number; counts: boolean }[] {
  const half = Math.floor(total / 2);
  const parts =
    way === null || way === 'wrong_token'
      ? [{ units: total, counts: way === null }]
      : [
          { units: half, counts: true },
          { units: total - half, counts: way !== 'two_currencies' },
        ];
  return parts.filter(({ units }) => units > 0);
}

function shownOf({ pace }: Play, units: number, counts: boolean, begin: number, key: string): Happening[] {
  const show = (afterSeconds: number, state: 'seen' | 'final' | 'gone'): Happening => {
    const at = begin + afterSeconds * second;
    return {
      at,
      do(model) {
        if (counts) modelTransfer(model, key, units, state, at);
        else modelTime(model, at);
        return true;
      },
    };
  };
  if (pace === 'slow') return [show(0, 'seen'), show(20, 'seen'), show(40, 'seen'), show(60, 'final')];
  return pace === 'reorg' ? [show(0, 'seen'), show(30, 'gone')] : [show(0, 'final')];
}
