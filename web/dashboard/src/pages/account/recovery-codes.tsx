import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Copy } from '../../ui/button/copy.tsx';
import { ShownOnce } from '../../ui/dialog/shown-once.tsx';

export type RecoveryCodesProps = {
  /** Shown while there are any. */
  codes: string[] | null;
  onClose: () => void;
};

/** Recovery codes, shown only once. The dialog closes after the person confirms that they are stored. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps): ReactNode {
  const text = `${t('Recovery codes for Florin at {host}. Each works once.', { host: location.host })}\n\n${codes?.join('\n')}\n`;

  return (
    <ShownOnce
      open={codes !== null}
      title={t('Keep your recovery codes')}
      description={t(
        'Each of them works once, when you do not have your authenticator app. They are shown only now.',
      )}
      agree={t('I have stored them')}
      onClose={onClose}
    >
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg border border-line bg-sunken p-4 font-mono">
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Copy text={text} what={t('the recovery codes')} variant="quiet" size="medium" />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="florin-recovery-codes.txt"
          className={buttonClass()}
        >
          <Download size={16} aria-hidden /> {t('Download')}
        </a>
      </div>
    </ShownOnce>
  );
}
