import type { Console } from '../identity/console/console.ts';
import type { Slice } from '../kit/slice.ts';
import { type TreasuryConsoleDeps, treasuryRoutes } from './console-routes.ts';
import { type DirectConsoleDeps, directRoutes } from './direct/console-routes.ts';
import { directErrors } from './direct/errors.ts';
import { treasuryErrors } from './errors.ts';
import { createTreasuryMetrics } from './metrics.ts';
import { matchOrders } from './orders.ts';
import { proofRoutes } from './proofs/console-routes.ts';
import type { ProofDeps } from './proofs/make.ts';
import { createProofWatch, type ProofTimes } from './proofs/schedule.ts';
import { type Proofs, readProofs } from './proofs/store.ts';
import { reserveRoutes } from './reserves/console-routes.ts';
import { createReserveMetrics } from './reserves/metrics.ts';
import { createReserveWatch } from './reserves/reports.ts';
import type { ReserveDeps } from './reserves/reserves.ts';

/** How often moves are matched with payouts, and whether the reserves are due is checked. */
const lookMs = 30_000;

type TreasuryDeps = TreasuryConsoleDeps &
  ReserveDeps &
  DirectConsoleDeps &
  ProofDeps & { proveAt: ProofTimes | null };

/** The moves into and out of treasuries and vaults, as their chains show them, direct settlement, the reserves, and the proof of them. */
export function createTreasury(deps: TreasuryDeps): Slice<Console> & { proofs: Proofs } {
  const { db } = deps;
  const proofs = readProofs(db);
  return {
    proofs,
    errors: { ...treasuryErrors, ...directErrors },
    routes: {
      dashboard(dashboard) {
        directRoutes(dashboard, deps);
        treasuryRoutes(dashboard, deps);
        reserveRoutes(dashboard, deps);
        proofRoutes(dashboard, proofs, deps.baseUrl);
      },
    },
    loops: [
      { name: 'treasury', everyMs: lookMs, work: () => matchOrders(db) },
      { name: 'reserves', everyMs: lookMs, work: createReserveWatch(deps), isOptional: true },
      { name: 'proofs', everyMs: lookMs, work: createProofWatch(deps, deps.proveAt), isOptional: true },
    ],
    metrics(registry) {
      createTreasuryMetrics(registry, db);
      createReserveMetrics(registry, db);
    },
  };
}
