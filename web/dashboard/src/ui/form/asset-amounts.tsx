import type { ReactNode } from 'react';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import type { FormValues } from './form.tsx';
import { Input } from './input.tsx';

export type AssetAmountsProps = {
  /** The first word of the names of the fields: `limit` for `limit usdc`. */
  name: string;
  assets: readonly string[];
  /** The amounts of those assets that have one. */
  amounts: Readonly<Record<string, string>>;
  /** Said to be optional at each field. */
  optional?: boolean;
};

/** A field for an amount in each asset, which may be empty. */
export function AssetAmounts({ name, assets, amounts, optional = false }: AssetAmountsProps): ReactNode {
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {assets.map((asset) => (
        <Input
          key={asset}
          name={`${name} ${asset}`}
          label={assetName(asset)}
          inputMode="decimal"
          pattern="\d+(\.\d+)?"
          data-wrong={t('Write a decimal number, such as 100 or 0.5.')}
          autoComplete="off"
          {...(optional && { required: false })}
          defaultValue={amounts[asset] ?? ''}
        />
      ))}
    </div>
  );
}

/** The amounts that were filled in, by asset. */
export function amountsOf(
  values: FormValues,
  name: string,
  assets: readonly string[],
): Record<string, string> {
  const filled = assets.flatMap((asset): [string, string][] => {
    const amount = values[`${name} ${asset}`]?.trim();
    return amount ? [[asset, amount]] : [];
  });
  return Object.fromEntries(filled);
}
