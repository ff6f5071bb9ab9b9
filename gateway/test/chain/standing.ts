import { type Entry, entriesOf } from '../schedules/journal.ts';
import {
  type Model,
  modelCancel,
  modelChoice,
  modelEnd,
  modelReport,
  modelTime,
  newModel,
} from '../schedules/payment-model.ts';
import { cameAt, type Game, type Paid, type Stand } from './game.ts';

// How a payment must stand after what was reported of it, where a transfer counts as of its block's time or its first
// sight, and time ends nothing before the chain was read past it.

/** Some chains make no blocks while nothing happens: one that has none after a time is past it so much later. */
const idleMs = 120_000;

/** The payment by the contract, and what of its life the contract does not allow. */
export async function stateOfArrival(
  game: Game,
  { payment }: Paid,
): Promise<{ model: Model; wrong: string[] }> {
  const { amountDue, fee, createdAt, deadline, id } = payment;
  const model = newModel(Number(amountDue), Number(fee), createdAt.getTime());
  model.deadline = deadline.getTime();
  const lasts = deadline.getTime() - createdAt.getTime();
  const reported = new Set<string>();
  const wrong: string[] = [];
  for (const entry of await entriesOf(game.world.db, id)) {
    const at = entry.at.getTime();
    if (entry.what === 'cancel') modelCancel(model, entry.by);
    if (entry.what === 'choice') modelChoice(model, at, lasts);
    if (entry.what === 'transfer') {
      const { seen, micros: units, takenAt = entry.at, pays } = entry;
      reported.add(seen.key);
      if (pays) modelReport(model, { ...seen, units, takenAt: takenAt.getTime() }, at);
    }
    if (!isByTime(entry)) continue;
    const end = endOf(model);
    // Who was shown no address and brought no money is not waited for.
    const waits = !game.isBlind && (model.chosen || reported.size > 0);
    if (waits && !mayEnd(game, id, reported, end, at)) {
      wrong.push(`${id} became ${entry.to} for what was there by ${new Date(end).toISOString()}`);
    }
    modelTime(model, at);
  }
  // A chain that is behind has not come to now.
  const behindMs = Math.max(0, -game.setting.aheadSeconds) * 1000;
  modelTime(model, game.shop.clock.now().getTime() - behindMs);
  return { model, wrong };
}

type Move = Extract<Entry, { what: 'moved' }>;

function isByTime(entry: Entry): entry is Move {
  if (entry.what !== 'moved') return false;
  const { to, reason } = entry;
  return reason === 'abandoned' || reason === 'part_paid' || reason === 'late' || to === 'failed';
}

/** The time whose end brings the payment's next move. */
function endOf(model: Model): number {
  if (model.reason === 'abandoned') return model.lateEnd;
  return model.status === 'pending' ? modelEnd(model) : model.deadline;
}

/**
 * Whether time may have ended something by `at`: once the chain stood so that whoever read past `end` would have
 * found, of all that was paid by then, only what was reported.
 */
function mayEnd(game: Game, paymentId: string, reported: ReadonlySet<string>, end: number, at: number) {
  const views = game.views.filter((view) => view.at <= at);
  const lasted = (nth: number): number => views[nth + 1]?.at ?? at;
  return views.some((view, nth) => {
    const isPast = (view.headTime * 1000 > end && lasted(nth) > end) || lasted(nth) > end + idleMs;
    return isPast && paidBy(game, view, paymentId, end).every((key) => reported.has(key));
  });
}

/** The transfers to the payment that a chain holds, by their keys, up to a time. */
function paidBy(game: Game, { hashes }: Stand, paymentId: string, end: number): string[] {
  const { logs, chain } = game;
  const listed = new Set<string>(chain.tokens.map(({ asset }) => asset));
  return [...logs]
    .filter(([key, log]) => log.paymentId === paymentId && cameAt(game, key) <= end)
    .filter(([, { moved }]) => !moved.startsWith('0 ') && listed.has(moved.split(' ')[1]!))
    .filter(([, { blockHash }]) => hashes.includes(blockHash))
    .map(([key]) => key);
}
