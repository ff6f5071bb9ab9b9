import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useScope } from '../../api/scope.ts';
import { readAsset } from '../../format/amount.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import type { PayoutAddress } from './queries.ts';

const other = 'other';

type Props = { asset: string; book: readonly PayoutAddress[]; isKnownOnly: boolean };

/** Where money goes: an entry of the address book, or an address that is written. */
export function DestinationFields({ asset, book, isKnownOnly }: Props): ReactNode {
  const { integrationId: integration, mode } = useScope();
  const fitting = book.filter(({ address }) => isOf(asset, address));
  const usable = fitting.filter(({ is_usable }) => is_usable);
  const choices = [
    ...usable.map(({ id, label, address }) => ({ value: id, label: `${label}: ${address.slice(0, 10)}…` })),
    ...(isKnownOnly ? [] : [{ value: other, label: t('Another address') }]),
  ];
  const [chosen, setChosen] = useState(choices[0]?.value);
  const entry = usable.find(({ id }) => id === chosen);
  const leadToBook = (
    <Link
      to="/i/$integration/$mode/settings"
      params={{ integration, mode }}
      search={{ tab: 'payouts' }}
      className="underline underline-offset-4"
    >
      {t('address book')}
    </Link>
  );
  if (choices.length === 0) {
    return (
      <Banner tone="waiting" title={t('No address can be used yet')}>
        {rich('Add one to the {leadToBook}. A new one may be used after a day.', { leadToBook })}
      </Banner>
    );
  }
  return (
    <>
      {usable.length > 0 && (
        <Select
          name="entry"
          label={t('Send to')}
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
          choices={choices}
        />
      )}
      {entry ? (
        <p className="-mt-3 text-sm wrap-anywhere">
          <span className="font-mono">{entry.address}</span>
          {entry.memo !== null && <> {t('with the memo {memo}', { memo: entry.memo })}</>}
        </p>
      ) : (
        <>
          <Input name="to" label={t('Address')} required maxLength={200} autoComplete="off" code />
          {readAsset(asset).currency === 'PI' && (
            <Input name="memo" label={t('Memo')} required={false} maxLength={28} autoComplete="off" />
          )}
        </>
      )}
    </>
  );
}

/** Whether an address is of an asset's network. */
export const isOf = (asset: string, address: string): boolean =>
  address.startsWith('0x') === (asset !== 'pi');

/** What was chosen or written. */
export function destinationOf(
  values: FormValues,
  book: readonly PayoutAddress[],
): { to: string; memo?: string } {
  const entry = book.find(({ id }) => id === values.entry);
  const to = entry?.address ?? (values.to ?? '').trim();
  const memo = entry ? entry.memo : values.memo;
  return memo ? { to, memo } : { to };
}
