import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export type MenuItem =
  | {
      label: ReactNode;
      icon?: LucideIcon;
      onSelect: () => void;
      danger?: boolean;
      disabled?: boolean;
      /** A choice that is on or off. */
      checked?: boolean;
      /** The menu is still there after it was chosen, and shows what changed. */
      staysOpen?: boolean;
    }
  | 'line';

export type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  /** Words above the items. */
  heading?: ReactNode;
};

export const menuClass =
  'appear z-50 min-w-48 max-w-[calc(100vw-1rem)] rounded-xl border border-line bg-surface p-1 shadow-soft';

export const menuItemClass =
  'flex min-h-9 items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm outline-none select-none ' +
  'data-highlighted:bg-sunken data-disabled:opacity-50';

/** A menu of acts behind a button. */
export function Menu({ trigger, items, align = 'end', side = 'bottom', heading }: MenuProps): ReactNode {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content align={align} side={side} sideOffset={6} collisionPadding={8} className={menuClass}>
          {heading !== undefined && (
            <Radix.Label className="px-2.5 py-1.5 text-sm text-quiet">{heading}</Radix.Label>
          )}
          {items.map((item, index) =>
            item === 'line' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key
              <Radix.Separator key={index} className="my-1 h-px bg-line" />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu do not move
              <Item key={index} item={item} />
            ),
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Item({ item }: { item: Exclude<MenuItem, 'line'> }): ReactNode {
  const { label, icon: Icon, checked, disabled = false, danger, staysOpen } = item;
  const common = {
    disabled,
    className: `${menuItemClass} ${danger ? 'text-lost' : ''}`,
    onSelect: (event: Event) => {
      if (staysOpen) event.preventDefault();
      item.onSelect();
    },
  };
  if (checked !== undefined) {
    return (
      <Radix.CheckboxItem {...common} checked={checked}>
        <Check size={16} aria-hidden className={checked ? 'shrink-0' : 'invisible shrink-0'} />
        {label}
      </Radix.CheckboxItem>
    );
  }
  return (
    <Radix.Item {...common}>
      {Icon && <Icon size={16} aria-hidden className="shrink-0" />}
      {label}
    </Radix.Item>
  );
}
