import { Fragment, type ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { commandKey } from './show.ts';

const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
  [[commandKey, 'K'], t('Find a payment, a page or an action')],
  [['/'], t('Search the payments of the list')],
  [['j'], t('The next row; in a drawer, the next one’s')],
  [['k'], t('The row before')],
  [['Enter'], t('Open the row')],
  [[t('Esc')], t('Close the drawer or dialog')],
  [['?'], t('This list')],
];

/** The keys of the dashboard. */
export function KeyList({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <Dialog open onClose={onClose} title={t('Keys')}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2.5 text-sm">
        {keys.map(([names, does]) => (
          <Fragment key={does}>
            <dt className="flex gap-1">
              {names.map((name) => (
                <Kbd key={name}>{name}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}

/** The name of a key. */
export function Kbd({ children }: { children: ReactNode }): ReactNode {
  return (
    <kbd className="rounded border border-line px-1.5 font-mono text-sm leading-5 text-quiet">{children}</kbd>
  );
}
