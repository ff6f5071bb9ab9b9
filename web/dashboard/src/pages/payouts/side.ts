import { useMay, useScope } from '../../api/scope.ts';

/** Who looks at payouts: a person of the business that they leave, or an operator. */
export type Side = {
  as: 'merchant' | 'operator';
  /** Where their calls are. */
  base: string;
  /** Whether this person may make and approve them. */
  may: boolean;
  /** What is read again after a change. */
  changes: readonly string[];
};

export function useMerchantSide(): Side {
  const { path } = useScope();
  const may = useMay('make payouts');
  const changes = ['/payouts', '/payout-assets', '/balances', '/balance-entries', '/statements'].map(path);
  return { as: 'merchant', base: path('/payouts'), may, changes };
}

const operatorPath = '/console/operator/payouts';
export const operatorSide: Side = { as: 'operator', base: operatorPath, may: true, changes: [operatorPath] };
