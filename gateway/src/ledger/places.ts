import type { Party } from './ledger.ts';

/** The operator's fees, of all integrations together; summed from entries. */
export const feeAccount: Party = { kind: 'fees', owner: '' };

/** Fees that the operator is withdrawing: taken out of `fees`, so that no two withdrawals take the same. */
export const feesOutAccount: Party = { kind: 'fees_out', owner: '' };

/** Where live money of a rail is, outside the ledger. */
export type Place = 'addresses' | 'treasury' | 'vault' | 'operator';

/** The deposit addresses of a rail; on Pi its one account. Payments are booked from here. */
export function addressesOf(rail: string): Party {
  return { kind: 'external', owner: rail };
}

/** Where a rail keeps what was swept from the deposit addresses. */
export function treasuryOf(rail: string): Party {
  return { kind: 'external', owner: `${rail}:treasury` };
}

/** The contract of a rail that pays payouts. */
function vaultOf(rail: string): Party {
  return { kind: 'external', owner: `${rail}:vault` };
}

/** The operator outside the gateway: money that leaves goes here, and money that the operator adds comes from here. */
export function operatorOf(rail: string): Party {
  return { kind: 'external', owner: `${rail}:operator` };
}

/** Where a rail's direct settlements are until they reach the merchant: neither the gateway's nor the operator's. */
export function directPlaceOf(rail: string): Party {
  return { kind: 'external', owner: `${rail}:direct` };
}

/** What lies there for an integration, in the ledger. */
export function directAccountOf(integrationId: string): Party {
  return { kind: 'direct', owner: integrationId };
}

/** The account of a rail's place. */
export function placeOf(rail: string, place: Place): Party {
  return { addresses: addressesOf, treasury: treasuryOf, vault: vaultOf, operator: operatorOf }[place](rail);
}

/** The rail and the place that an external account stands for; null for one that is no rail's, such as `demo`. */
export function placeOfOwner(
  owner: string,
  isRail: (name: string) => boolean,
): { rail: string; place: Place | 'direct' } | null {
  const places = ['treasury', 'vault', 'operator', 'direct'] as const;
  const place = places.find((each) => owner.endsWith(`:${each}`));
  const rail = place ? owner.slice(0, -place.length - 1) : owner;
  return isRail(rail) ? { rail, place: place ?? 'addresses' } : null;
}
