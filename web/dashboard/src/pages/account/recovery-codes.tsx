import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '../../ui/button/button.tsx';
import { Copy } from '../../ui/button/copy.tsx';
import { ShownOnce } from '../../ui/dialog/shown-once.tsx';

export type RecoveryCodesProps = {
  /** Shown while there are any. */
  codes: string[] | null;
  onClose: () => void;
};

/** Recovery codes, the only time that they can be seen; they close once the person says that they are kept. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps): ReactNode {
  const text = `Recovery codes for Florin at ${location.host}. Each works once.\n\n${codes?.join('\n')}\n`;

  return (
    <ShownOnce
      open={codes !== null}
      title="Keep your recovery codes"
      description="Each of them signs you in once when your authenticator app is gone. They are shown this once."
      agree="I have kept them"
      onClose={onClose}
    >
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg border border-line bg-sunken p-4 font-mono">
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Copy text={text} what="the recovery codes" variant="quiet" size="medium" />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="florin-recovery-codes.txt"
          className={buttonClass()}
        >
          <Download size={16} aria-hidden /> Download
        </a>
      </div>
    </ShownOnce>
  );
}
