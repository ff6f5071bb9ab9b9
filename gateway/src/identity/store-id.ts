import type { Owner } from './owner.ts';

const testEnd = '-test';

/** The id of a store of the BTCPay door: an integration in one mode (contract.md#btcpay). */
export function storeIdOf({ integrationId, mode }: Owner): string {
  return `${integrationId}${mode === 'test' ? testEnd : ''}`;
}
