import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { groupDigits, readAsset } from '../../format/amount.ts';

export type MoneyProps = {
  /** A decimal string. */
  amount: string;
  /** A currency (`USDC`) or an asset code (`usdc-bep20`), whose network is then named. */
  currency: string;
  /** In green or red with its sign, for lines of a ledger. */
  signed?: boolean;
  className?: string;
};

/** An amount, never without its currency, in figures of one width. */
export function Money({ amount, currency: asset, signed = false, className }: MoneyProps): ReactNode {
  const { currency, network } = readAsset(asset);
  const isNegative = amount.startsWith('-');
  return (
    <span
      className={clsx(
        'whitespace-nowrap tabular-nums',
        signed && (isNegative ? 'text-lost' : 'text-paid'),
        className,
      )}
    >
      {signed && !isNegative && '+'}
      {groupDigits(amount)} <span className="text-quiet">{currency}</span>
      {network !== undefined && <span className="text-quiet"> · {network}</span>}
    </span>
  );
}
