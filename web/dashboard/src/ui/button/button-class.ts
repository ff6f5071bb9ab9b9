import { clsx } from 'clsx';

export type ButtonVariant = 'primary' | 'quiet' | 'plain' | 'danger' | 'link';
export type ButtonSize = 'small' | 'medium' | 'large';

const base =
  'inline-flex items-center justify-center gap-2 rounded-lg font-semibold whitespace-nowrap select-none ' +
  'transition-colors disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:opacity-60 [&_svg]:shrink-0';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  quiet: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  plain: 'text-ink hover:bg-sunken',
  danger: 'bg-lost text-on-lost hover:opacity-90',
  link: 'text-accent-strong underline-offset-4 hover:underline',
};

const sizes: Record<ButtonSize, string> = {
  small: 'h-8 px-2.5 text-sm',
  medium: 'h-10 px-4 text-sm',
  large: 'h-11 px-5 text-base',
};

/** The classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'quiet', size: ButtonSize = 'medium'): string {
  return clsx(base, variants[variant], variant === 'link' ? 'text-sm' : sizes[size]);
}
