import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';

export { type ButtonSize, type ButtonVariant, buttonClass };

export type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** While the act runs: the button says so, presses do nothing, and screen readers announce that it is busy. */
  pending?: boolean;
};

/** A button. It does not submit a form; `SubmitButton` does. */
export function Button({
  variant,
  size,
  pending = false,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      className={clsx(buttonClass(variant, size), pending && 'animate-pulse', className)}
    >
      {pending ? <Busy label={children} /> : children}
    </button>
  );
}

/** At least as wide as the label in whose place it is, so that nothing beside the button moves. */
function Busy({ label }: { label: ReactNode }): ReactNode {
  return (
    <span className="grid place-items-center *:col-start-1 *:row-start-1">
      <span className="invisible inline-flex items-center gap-2">{label}</span>
      <span>{t('Working…')}</span>
    </span>
  );
}
