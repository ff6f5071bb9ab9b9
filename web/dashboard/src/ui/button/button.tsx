import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';

export { type ButtonSize, type ButtonVariant, buttonClass };

export type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** While the act runs: presses do nothing, and screen readers announce that it is busy. */
  pending?: boolean;
};

/** A button. It does not submit a form; `SubmitButton` does. */
export function Button({
  variant,
  size,
  pending = false,
  className,
  onClick,
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
    />
  );
}
