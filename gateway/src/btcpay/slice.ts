import type { Console } from '../identity/console/console.ts';
import type { Slice } from '../kit/slice.ts';
import { type HookRouteDeps, hookRoutes } from './hooks/routes.ts';
import { type InvoicePageDeps, invoicePages } from './invoices/pages.ts';
import { type RefundRouteDeps, refundRoutes } from './invoices/refund-routes.ts';
import { type InvoiceRouteDeps, invoiceRoutes } from './invoices/routes.ts';
import { authorizePage, type PairingDeps, pairingRoutes } from './pairing/routes.ts';
import { openDoor } from './protocol/door.ts';
import { missingCalls } from './protocol/missing-calls.ts';
import { type StoreRouteDeps, storeRoutes } from './stores/routes.ts';

export type BtcpayDeps = StoreRouteDeps &
  InvoiceRouteDeps &
  RefundRouteDeps &
  InvoicePageDeps &
  HookRouteDeps &
  PairingDeps;

/**
 * The BTCPay door: the part of the Greenfield API that shops use, spoken over payments, refunds and webhooks. It translates,
 * and does nothing in a second way (contract.md#btcpay).
 */
export function createBtcpay(deps: BtcpayDeps): Slice<Console> {
  return {
    routes: {
      api: (api) =>
        openDoor(api, deps.guards, (door) => {
          storeRoutes(door, deps);
          invoiceRoutes(door, deps);
          refundRoutes(door, deps);
          hookRoutes(door, deps);
          missingCalls(door);
        }),
      pages(server) {
        invoicePages(server, deps);
        authorizePage(server, deps);
      },
      dashboard: (dashboard) => pairingRoutes(dashboard, deps),
    },
  };
}
