import { Check, Copy as CopyIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../texts/t.ts';
import { toast } from '../toast/toast.ts';
import { Button, type ButtonSize, type ButtonVariant } from './button.tsx';

const copiedMs = 2_000;

export type CopyProps = {
  text: string;
  /** What is copied, for screen readers: `Copy the secret key`. */
  what: string;
  /** The text of the button, where `Copy` alone is not clear. */
  label?: string;
  /** Only the icon, for tables. */
  small?: boolean;
  variant?: ButtonVariant;
  size?: ButtonSize;
  onCopied?: () => void;
};

/** Copies a text, and says `Copied` in its own place. */
export function Copy({
  text,
  what,
  label = t('Copy'),
  small = false,
  variant = 'plain',
  size = 'small',
  onCopied,
}: CopyProps): ReactNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      onCopied?.();
    } catch {
      toast(t('This browser did not allow copying. Select the text and copy it by hand.'), 'lost');
    }
  }

  const Icon = copied ? Check : CopyIcon;
  return (
    <Button
      variant={variant}
      size={size}
      onClick={copy}
      aria-label={copied ? t('Copied') : t('Copy {what}', { what })}
      className="relative z-1"
    >
      <Icon size={15} aria-hidden />
      <span aria-live="polite" className={small && !copied ? 'sr-only' : undefined}>
        {copied ? t('Copied') : label}
      </span>
    </Button>
  );
}
