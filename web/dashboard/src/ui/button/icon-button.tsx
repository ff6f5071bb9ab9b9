import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Tooltip } from './tooltip.tsx';

export type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  icon: LucideIcon;
  label: string;
};

/** A button that is only an icon; its label is its name and its tooltip. */
export function IconButton({ icon: Icon, label, className, ...rest }: IconButtonProps): ReactNode {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={clsx(
          'inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-quiet transition-colors',
          'hover:bg-sunken hover:text-ink disabled:opacity-60',
          className,
        )}
      >
        <Icon size={18} aria-hidden />
      </button>
    </Tooltip>
  );
}
