import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';

export type SecretOnceProps = {
  /** The secret; the dialog is open while there is one. */
  secret: string | null;
  /** `Your secret key` */
  title: string;
  /** What it is for, and where to keep it. */
  children?: ReactNode;
  onClose: () => void;
  onCopied?: (() => void) | undefined;
};

/** Shows a secret the only time that it can be seen; it closes once the person says that it is saved. */
export function SecretOnce({ secret, title, children, onClose, onCopied }: SecretOnceProps): ReactNode {
  const [saved, setSaved] = useState(false);

  function close(): void {
    if (!saved) return;
    setSaved(false);
    onClose();
  }

  return (
    <Dialog
      open={secret !== null}
      onClose={close}
      title={title}
      description="It is shown this once; nobody can show it to you again."
      footer={
        <Button variant="primary" disabled={!saved} onClick={close}>
          Done
        </Button>
      }
    >
      <div className="flex items-center justify-between gap-3 rounded-lg border border-line bg-sunken p-3">
        <code className="min-w-0 font-mono text-sm break-all">{secret}</code>
        <Copy text={secret ?? ''} what="the secret" variant="quiet" {...(onCopied && { onCopied })} />
      </div>
      {children !== undefined && <div className="text-sm">{children}</div>}
      <Checkbox
        label="I have saved it"
        checked={saved}
        onChange={(event) => setSaved(event.target.checked)}
      />
    </Dialog>
  );
}
