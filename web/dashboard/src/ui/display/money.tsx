import { clsx } from 'clsx';
import { createContext, type ReactNode, useContext } from 'react';
import { amountText, readAsset } from '../../format/amount.ts';
import { decimalsOf } from '../../format/decimals.ts';

/** In a column of amounts: how many digits find room after the point, so that points stand below each other. */
export const ColumnDecimals = createContext<number | undefined>(undefined);

export type MoneyProps = {
  /** A decimal string. */
  amount: string;
  /** A currency (`USDC`) or an asset code (`usdc-bep20`), whose network is then named. */
  currency: string;
  /** The row says the currency. */
  bare?: boolean;
  /** In green or red with its sign, for lines of a ledger. */
  signed?: boolean;
  className?: string;
};

/** An amount, with its currency unless its row says it, in figures of one width. */
export function Money({
  amount,
  currency: asset,
  bare = false,
  signed = false,
  className,
}: MoneyProps): ReactNode {
  const decimals = useContext(ColumnDecimals);
  const { currency, network } = readAsset(asset);
  const isNegative = amount.startsWith('-');
  const text = amountText(amount, currency);
  return (
    <span
      className={clsx(
        'whitespace-nowrap tabular-nums',
        signed && (isNegative ? 'text-lost' : 'text-paid'),
        className,
      )}
    >
      {signed && !isNegative && '+'}
      {text}
      {decimals !== undefined && <Missing digits={decimals} of={text} />}
      {!bare && <Unit currency={currency} network={network} isInColumn={decimals !== undefined} />}
    </span>
  );
}

/** The room of the digits that an amount does not have, and that others of its column have. */
function Missing({ digits, of }: { digits: number; of: string }): ReactNode {
  const missing = digits - decimalsOf(of);
  if (missing <= 0) return null;
  const point = of.includes('.') ? '0em' : '0.28em';
  return <span aria-hidden className="inline-block" style={{ width: `calc(${missing}ch + ${point})` }} />;
}

type UnitProps = { currency: string; network: string | undefined; isInColumn: boolean };

/** The currency and its network. In a column all currencies take the same room, and networks stand below them. */
function Unit({ currency, network, isInColumn }: UnitProps): ReactNode {
  return (
    <>
      {' '}
      <span className={clsx('text-quiet', isInColumn && 'inline-block min-w-[2.8em] text-left')}>
        {currency}
      </span>
      {network !== undefined && (
        <span className={clsx('text-quiet', isInColumn && 'block')}>
          {!isInColumn && ' · '}
          {network}
        </span>
      )}
    </>
  );
}
