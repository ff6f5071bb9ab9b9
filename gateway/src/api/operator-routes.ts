import { announcementRoutes } from '../identity/console/announcement-routes.ts';
import type { Console } from '../identity/console/console.ts';
import { outboxRoutes } from '../identity/console/mail-routes.ts';
import { operatorAccountRoutes } from '../identity/console/operator-account-routes.ts';
import { operatorMerchantRoutes } from '../identity/console/operator-merchant-routes.ts';
import { type LedgerOperatorDeps, ledgerOperatorRoutes } from '../ledger/console-operator-routes.ts';
import { type HealthDeps, healthConsoleRoutes } from '../operations/console-routes.ts';
import { type CurrencyRouteDeps, currencyRoutes } from '../payments/api/console-currency-routes.ts';
import { feeRoutes } from '../payments/api/console-fee-routes.ts';
import { moneyRoutes } from '../payments/api/console-money-routes.ts';
import { type SendingDeps, sendingRoutes } from '../payments/api/console-sending-routes.ts';
import { type SuspenseDeps, suspenseRoutes } from '../payments/api/console-suspense-routes.ts';
import { type StrayConsoleDeps, strayRoutes } from '../payments/api/console-unmatched-routes.ts';
import { type SweepConsoleDeps, sweepConsoleRoutes } from '../rails/evm/sweep/console-routes.ts';
import { webhookOperatorRoutes } from '../webhooks/api/console-operator-routes.ts';

export type OperatorDeps = HealthDeps &
  LedgerOperatorDeps &
  CurrencyRouteDeps &
  SuspenseDeps &
  StrayConsoleDeps &
  SendingDeps &
  SweepConsoleDeps & {
    /** There is an SMTP server to send mails by. */
    hasMailServer: boolean;
  };

/** What operators see and do of every slice. */
export function operatorRoutes(dashboard: Console, deps: OperatorDeps): void {
  operatorMerchantRoutes(dashboard, deps);
  operatorAccountRoutes(dashboard, deps);
  announcementRoutes(dashboard, deps);
  outboxRoutes(dashboard, { db: deps.db, hasServer: deps.hasMailServer });
  ledgerOperatorRoutes(dashboard, deps);
  currencyRoutes(dashboard, deps);
  feeRoutes(dashboard);
  suspenseRoutes(dashboard, deps);
  strayRoutes(dashboard, deps);
  moneyRoutes(dashboard, deps);
  sendingRoutes(dashboard, deps);
  webhookOperatorRoutes(dashboard, deps);
  healthConsoleRoutes(dashboard, deps);
  sweepConsoleRoutes(dashboard, deps);
}
