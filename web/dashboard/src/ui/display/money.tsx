import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { groupDigits, readAsset } from '../../format/amount.ts';

export type MoneyProps = {
  /** A decimal string. */
  amount: string;
  /** A currency (`USDC`) or an asset code (`usdc-bep20`), whose network is then named. */
  currency: string;
  /** So many digits after the point find room, at least two are shown, and points stand below each other in a column. */
  decimals?: number;
  /** In green or red with its sign, for lines of a ledger. */
  signed?: boolean;
  className?: string;
};

/** An amount, never without its currency, in figures of one width. */
export function Money({
  amount,
  currency: asset,
  decimals,
  signed = false,
  className,
}: MoneyProps): ReactNode {
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
      {decimals === undefined ? groupDigits(amount) : <Aligned amount={amount} decimals={decimals} />}{' '}
      <span className="text-quiet">{currency}</span>
      {network !== undefined && <span className="text-quiet"> · {network}</span>}
    </span>
  );
}

function Aligned({ amount, decimals }: { amount: string; decimals: number }): ReactNode {
  const [whole = '', fraction = ''] = groupDigits(amount).split('.');
  return (
    <>
      {whole}
      <span className="inline-block text-left" style={{ minWidth: `calc(${decimals}ch + 0.35em)` }}>
        .{fraction.padEnd(2, '0')}
      </span>
    </>
  );
}
