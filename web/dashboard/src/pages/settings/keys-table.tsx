import { Ban, CircleCheck, Clock, EllipsisVertical, RotateCw, Signature } from 'lucide-react';
import type { ReactNode } from 'react';
import { amountText } from '../../format/amount.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Copy } from '../../ui/button/copy.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Menu, type MenuItem } from '../../ui/button/menu.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import type { Key, KeyChoices } from './queries.ts';
import { callsOf, whyNotMade } from './withheld.ts';

export type KeysTableProps = {
  keys: Key[];
  may: boolean;
  /** What keys may do, and which of it those of this person may not. */
  choices: KeyChoices;
  /** The secrets that can be read again, by the keys' ids. */
  secrets: ReadonlyMap<string, string>;
  onRoll: (key: Key) => void;
  onRevoke: (key: Key) => void;
};

/** The keys with their restrictions and their last use. */
export function KeysTable({ keys, may, choices, secrets, onRoll, onRevoke }: KeysTableProps): ReactNode {
  const columns: Column<Key>[] = [
    {
      key: 'name',
      head: t('Key'),
      cell: (key) => (
        <span className="grid py-1.5">
          <span className="font-semibold wrap-anywhere">{key.name ?? t('Signing key')}</span>
          <Secret hint={key.hint} secret={secrets.get(key.id)} />
          <span className="text-quiet md:hidden">
            <Limits keyShown={key} choices={choices} />
          </span>
          <span className="sm:hidden">
            <KeyState keyShown={key} />
          </span>
        </span>
      ),
    },
    { key: 'state', head: t('State'), from: 'sm', cell: (key) => <KeyState keyShown={key} /> },
    {
      key: 'may',
      head: t('May'),
      from: 'md',
      className: 'w-full',
      cell: (key) => <Limits keyShown={key} choices={choices} />,
    },
    {
      key: 'used',
      head: t('Last used'),
      from: 'sm',
      cell: (key) => (
        <span className="grid py-1.5">
          {key.last_used_at === null ? (
            <span className="text-quiet">{t('Never')}</span>
          ) : (
            <Time at={key.last_used_at} />
          )}
          {key.last_used_from !== null && (
            <span className="whitespace-nowrap text-quiet">
              {t('from {lastUsedFrom}', { lastUsedFrom: key.last_used_from })}
            </span>
          )}
        </span>
      ),
    },
    { key: 'made', head: t('Created'), from: 'lg', cell: (key) => <Time at={key.created_at} /> },
  ];
  const acts: Column<Key> = {
    key: 'acts',
    head: <span className="sr-only">{t('What to do')}</span>,
    align: 'end',
    cell: (key) => <KeyMenu {...{ keyShown: key, choices, onRoll, onRevoke }} />,
  };
  return (
    <Table
      caption={t('Keys')}
      columns={may ? [...columns, acts] : columns}
      rows={keys}
      rowKey={({ id }) => id}
    />
  );
}

/** A test key can be copied whenever it is needed; of another one only its end is known. */
function Secret({ hint, secret }: { hint: string; secret: string | undefined }): ReactNode {
  return (
    <span className="flex items-center gap-1">
      <span className="font-mono whitespace-nowrap text-quiet">{hint}</span>
      {secret !== undefined && <Copy text={secret} what={t('the key {hint}', { hint })} small />}
    </span>
  );
}

type RowProps = { keyShown: Key };

function KeyState({ keyShown: { good, signing, valid_until } }: RowProps): ReactNode {
  if (!good) {
    return <Badge icon={Ban}>{rich('Ended {time}', { time: <Time at={valid_until} still /> })}</Badge>;
  }
  return (
    <span className="flex flex-wrap gap-1 py-1.5">
      {valid_until === null ? (
        <Badge tone="paid" icon={CircleCheck}>
          {t('Good')}
        </Badge>
      ) : (
        <Badge tone="waiting" icon={Clock}>
          {rich('Ends {time}', { time: <Time at={valid_until} still /> })}
        </Badge>
      )}
      {signing && (
        <Badge tone="accent" icon={Signature}>
          {t('Signs webhooks')}
        </Badge>
      )}
    </span>
  );
}

const shownAddresses = 3;

/** What a key may do, in words. */
function Limits({
  keyShown: { actions, lost, addresses, daily_limits: limits, asks_above },
  choices,
}: RowProps & Pick<KeysTableProps, 'choices'>): ReactNode {
  const named = choices.actions.filter(({ named_only }) => named_only);
  const [from, more] = [addresses?.slice(0, shownAddresses), (addresses?.length ?? 0) - shownAddresses];
  const sums = Object.entries(limits ?? {}).map(([asset, amount]) => `${amountText(amount)} ${asset}`);
  return (
    <span className="block py-1.5 wrap-anywhere">
      {actions === null ? t('everything but: {calls}', { calls: callsOf(named) }) : callsOf(actions)}
      {lost.length > 0 && (
        <span className="text-waiting">
          {' '}
          {t('(no longer {calls}: who made it may not)', { calls: callsOf(lost) })}
        </span>
      )}
      {from && <> · {t('from {addresses}', { addresses: from.join(', ') })}</>}
      {more > 0 && <> {t('and {more} more', { more })}</>}
      {sums.length > 0 && <> · {t('at most {sums} a day', { sums: sums.join(', ') })}</>}
      {asks_above && <>, {t('more with approval')}</>}
    </span>
  );
}

type KeyMenuProps = RowProps & Pick<KeysTableProps, 'choices' | 'onRoll' | 'onRevoke'>;

function KeyMenu({ keyShown: key, choices, onRoll, onRevoke }: KeyMenuProps): ReactNode {
  if (!key.good) return null;
  const items: MenuItem[] = [];
  const why = whyNotMade(choices, key.actions);
  // A rolled key has another end than the one that it was made with.
  const isRolled = key.valid_until !== key.ends_at;
  if (!isRolled) {
    items.push({
      label: t('Roll'),
      icon: RotateCw,
      disabled: why !== undefined,
      onSelect: () => onRoll(key),
    });
  }
  if (key.kind === 'restricted' || isRolled) {
    items.push({ label: t('Revoke now'), icon: Ban, danger: true, onSelect: () => onRevoke(key) });
  }
  return (
    <Menu
      items={items}
      heading={isRolled ? undefined : why}
      trigger={
        <IconButton
          icon={EllipsisVertical}
          label={t('What to do with {name}', { name: key.name ?? key.hint })}
        />
      }
    />
  );
}
