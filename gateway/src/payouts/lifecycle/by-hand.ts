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
type Road = { rail: string; byHand: ByHand };

/** How many of a network's exports are shown. */
const shownAtMost = 20;

function roadsOf({ sendings }: Deps): Road[] {
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
  for (const { rail, byHand } of roadsOf(deps)) {
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
  const road = roadsOf(deps).find((each) => each.rail === rail);
  if (!road) throw refuse(kitErrors.not_found);
  // Nothing leaves while payouts are stopped, by whatever road.
  if ((await payoutStop(tx)) !== null) throw refuse(payoutErrors.payouts_stopped);
  const made = await road.byHand.export(tx, by);
  if (!made) throw refuse(payoutErrors.nothing_to_export, { network: road.byHand.network });
  return made;
}

export type FoundExport = Road & { found: HandExport };

/** Throws `export_not_found`. */
export async function findExport(reader: Reader, deps: Deps, id: string): Promise<FoundExport> {
  for (const road of roadsOf(deps)) {
    const found = await road.byHand.find(reader, id);
    if (found) return { ...road, found };
  }
  throw refuse(payoutErrors.export_not_found);
}

/** What of an export still waits, as a file. Throws `export_not_found`, `export_ended`. */
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
 * Lets the network's key send what of an export still waits. They can still not be cancelled: the file can be executed.
 * Throws `export_not_found`, `export_kept`.
 */
export async function takeBackExport(
  tx: Tx,
  deps: Deps,
  id: string,
): Promise<FoundExport & { count: number }> {
  const road = await findExport(tx, deps, id);
  const count = await road.byHand.takeBack(tx, id);
  if (count === 0) throw refuse(payoutErrors.export_kept);
  return { ...road, count };
}

/** How payouts stand that were ever exported, or that nothing can pay any more, by their ids. */
export async function standingsOf(
  reader: Reader,
  deps: Deps,
  payouts: readonly Pick<Payout, 'id' | 'rail'>[],
): Promise<Map<string, HandStanding>> {
  const found = new Map<string, HandStanding>();
  for (const { rail, byHand } of roadsOf(deps)) {
    const ids = payouts.flatMap((payout) => (payout.rail === rail ? [payout.id] : []));
    if (ids.length === 0) continue;
    for (const [id, standing] of await byHand.standings(reader, ids)) found.set(id, standing);
  }
  return found;
}
