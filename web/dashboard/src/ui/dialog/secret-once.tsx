import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Copy } from '../button/copy.tsx';
import { ShownOnce } from './shown-once.tsx';

export type SecretOnceProps = {
  /** The secret; the dialog is open while there is one. */
  secret: string | null;
  /** `Your secret key` */
  title: string;
  /** Where it can be read again, if anywhere. */
  again?: string | undefined;
  /** What it is for, and where to keep it. */
  children?: ReactNode;
  onClose: () => void;
  onCopied?: (() => void) | undefined;
};

/**
 * Shows a new secret. For most it is the only time that they can be seen: those close once the person confirms that it is
 * saved.
 */
export function SecretOnce({
  secret,
  title,
  again,
  children,
  onClose,
  onCopied,
}: SecretOnceProps): ReactNode {
  return (
    <ShownOnce
      open={secret !== null}
      title={title}
      description={again ?? t('It is shown only this once and cannot be shown again.')}
      agree={again === undefined ? t('I have saved it') : undefined}
      onClose={onClose}
    >
      <div className="flex items-center justify-between gap-3 rounded-lg border border-line bg-sunken p-3">
        <code className="min-w-0 font-mono text-sm break-all">{secret}</code>
        <Copy text={secret ?? ''} what={t('the secret')} variant="quiet" {...(onCopied && { onCopied })} />
      </div>
      {children !== undefined && <div className="text-sm">{children}</div>}
    </ShownOnce>
  );
}
