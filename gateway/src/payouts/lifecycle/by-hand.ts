import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import type {
  ByHand,
  Exportable,
  HandExport,
  HandFile,
  HandFileKind,
  HandStanding,
} from '../../rails/by-hand.ts';
import type { Sending } from '../../rails/rail.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { Payout } from '../payout/payout.ts';
import { payoutStop } from '../rules/stop.ts';

// Payouts that a person, or a Safe, pays in place of a network's key.

type Deps = { sendings: readonly Sending[] };
type HandRail = { rail: string; byHand: ByHand };

/** How many of a network's exports are shown. */
const shownAtMost = 20;

function handRailsOf({ sendings }: Deps): HandRail[] {
  return sendings.flatMap(({ rail, byHand }) => (byHand ? [{ rail, byHand }] : []));
}

/** A network whose payouts can be paid by hand: what an export would take, and the newest exports. */
export type HandNetwork = {
  rail: string;
  network: string;
  from: ByHand['from'];
  exportable: Exportable[];
  exports: HandExport[];
};

export async function handNetworks(reader: Reader, deps: Deps): Promise<HandNetwork[]> {
  const found: HandNetwork[] = [];
  for (const { rail, byHand } of handRailsOf(deps)) {
    const exportable = await byHand.exportable(reader);
    const exports = await byHand.exports(reader, shownAtMost);
    const { network, from } = byHand;
    found.push({ rail, network, from, exportable, exports });
  }
  return found;
}

/**
 * Exports the queued payouts of a network; from then on its key signs none of them. Throws `not_found`,
 * `payouts_stopped`, `nothing_to_export`.
 */
export async function exportPayouts(tx: Tx, deps: Deps, rail: string, by: string): Promise<HandExport> {
  const byHand = handRailsOf(deps).find((each) => each.rail === rail)?.byHand;
  if (!byHand) throw refuse(kitErrors.not_found);
  // While payouts are stopped nothing leaves, also not by hand.
  if ((await payoutStop(tx)) !== null) throw refuse(payoutErrors.payouts_stopped);
  const made = await byHand.export(tx, by);
  if (!made) throw refuse(payoutErrors.nothing_to_export, { network: byHand.network });
  return made;
}

export type FoundExport = HandRail & { found: HandExport };

/** Throws `export_not_found`. */
async function findExport(reader: Reader, deps: Deps, id: string): Promise<FoundExport> {
  for (const handRail of handRailsOf(deps)) {
    const found = await handRail.byHand.find(reader, id);
    if (found) return { ...handRail, found };
  }
  throw refuse(payoutErrors.export_not_found);
}

/** The payouts of an export that still wait, as a file. Throws `export_not_found`, `export_ended`. */
export async function exportFile(
  reader: Reader,
  deps: Deps,
  id: string,
  kind: HandFileKind,
): Promise<HandFile> {
  const { byHand } = await findExport(reader, deps, id);
  const file = await byHand.file(reader, id, kind);
  if (!file) throw refuse(payoutErrors.export_ended);
  return file;
}

/**
 * Lets the network's key send the payouts of an export that still wait. They can still not be cancelled, since somebody
 * may execute the file.
 * Throws `export_not_found`, `export_kept`.
 */
export async function takeBackExport(
  tx: Tx,
  deps: Deps,
  id: string,
): Promise<FoundExport & { count: number }> {
  const found = await findExport(tx, deps, id);
  const count = await found.byHand.takeBack(tx, id);
  if (count === 0) throw refuse(payoutErrors.export_kept);
  return { ...found, count };
}

/** The state of payouts that were ever exported, or that nothing can pay any more, by their ids. */
export async function standingsOf(
  reader: Reader,
  deps: Deps,
  payouts: readonly Pick<Payout, 'id' | 'rail'>[],
): Promise<Map<string, HandStanding>> {
  const found = new Map<string, HandStanding>();
  for (const { rail, byHand } of handRailsOf(deps)) {
    const ids = payouts.flatMap((payout) => (payout.rail === rail ? [payout.id] : []));
    if (ids.length === 0) continue;
    for (const [id, standing] of await byHand.standings(reader, ids)) found.set(id, standing);
  }
  return found;
}
