import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, the longest first. Vitest knows what took how long only where it ran before, and else
 * begins with the largest file: a long one that began last would leave the other workers idle.
 */
export const longest = [
  'gateway/test/dashboard-pages.browser.soak.test.ts',
  'gateway/test/wallets.browser.soak.test.ts',
  'gateway/src/checkout/states.browser.soak.test.ts',
  'bench/bench.soak.test.ts',
  'ops/faults/faults.test.ts',
  'gateway/src/wallet-pages/looks.browser.soak.test.ts',
  'gateway/test/plans.soak.test.ts',
  'gateway/src/rails/evm/scan/final/backing.test.ts',
  'gateway/test/start.test.ts',
  'gateway/test/outage.test.ts',
  'gateway/src/rails/pi/platform/crash.soak.test.ts',
  'gateway/test/sends.browser.test.ts',
  'gateway/src/rails/evm/scan/head/heads.test.ts',
  'gateway/test/older-postgres/postgres-15.test.ts',
  'gateway/src/notices/api/notices.test.ts',
  'gateway/test/notices.browser.test.ts',
  'gateway/test/workers.test.ts',
  'gateway/test/start-networks.test.ts',
  'scripts/install.test.ts',
  'gateway/src/kit/postgres/embedded-postgres.test.ts',
  'gateway/test/live.browser.test.ts',
  'gateway/test/direct.browser.test.ts',
  'gateway/src/rails/evm/scan/final/second-reading.test.ts',
  'gateway/test/backup.test.ts',
  'gateway/src/rails/evm/scan/blocks/late-logs.test.ts',
  'cli/test/merchant.test.ts',
  'gateway/test/webhook-kills.soak.test.ts',
  'gateway/src/rails/evm/rpc/endpoint-faults.test.ts',
  'contracts/conservation.soak.test.ts',
  'cli/src/main.test.ts',
  'gateway/test/master-key.test.ts',
  'gateway/src/api/site/site.browser.soak.test.ts',
  'gateway/test/crash.soak.test.ts',
  'gateway/test/money-out/evm.soak.test.ts',
  'gateway/src/rails/evm/schedules.soak.test.ts',
  'gateway/src/checkout/browser-wallet.browser.test.ts',
  'gateway/test/buy.browser.test.ts',
  'gateway/src/rails/evm/payouts/sender.test.ts',
  'gateway/src/rails/pi/send/crash.soak.test.ts',
  'gateway/src/wallets/remote-payments/unanswered.test.ts',
  'gateway/src/identity/console/sign-in/sign-in-tries.test.ts',
  'gateway/src/rails/evm/scan/blocks/agreement.test.ts',
  'gateway/test/webhook-tools.browser.test.ts',
  'gateway/test/payouts-from-treasury.test.ts',
  'gateway/test/roles.test.ts',
  'gateway/src/checkout/live.browser.test.ts',
  'gateway/test/console-odd-input.soak.test.ts',
  'gateway/src/rails/evm/scan/catch-up.test.ts',
  'receiver-check/src/check.test.ts',
  'gateway/test/dashboard-navigation.browser.test.ts',
  'gateway/test/dashboard-details.browser.test.ts',
  'gateway/test/dashboard-clicks.browser.test.ts',
  'gateway/src/rails/pi/read/reader-faults.test.ts',
  'gateway/src/rails/pi/read/reader-crash.soak.test.ts',
  'gateway/test/dashboard-first-minutes.browser.test.ts',
  'gateway/test/sign-in.browser.test.ts',
  'gateway/test/sign-in-weight.browser.test.ts',
  'gateway/test/payouts.browser.test.ts',
  'gateway/src/checkout/browser-wallet-looks.browser.soak.test.ts',
  'gateway/test/fuzz.test.ts',
];

function placeOf({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
  return at === -1 ? longest.length : at;
}

/** Runs these before all others. A class, since Vitest asks for one. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
