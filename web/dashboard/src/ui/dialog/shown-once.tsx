import { type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import { Button } from '../button/button.tsx';
import { Checkbox } from '../form/checkbox.tsx';
import { Dialog } from './dialog.tsx';

export type ShownOnceProps = {
  open: boolean;
  title: string;
  description: string;
  /** The confirmation before it closes: `I have saved it`; absent for what can be read again. */
  agree?: string | undefined;
  children: ReactNode;
  onClose: () => void;
};

/** Shows something new; what cannot be shown again closes when the person confirms that they have it. */
export function ShownOnce({ open, agree, children, onClose, ...words }: ShownOnceProps): ReactNode {
  const [saved, setSaved] = useState(false);
  const mayClose = saved || agree === undefined;

  function close(): void {
    if (!mayClose) return;
    setSaved(false);
    onClose();
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      {...words}
      footer={
        <Button variant="primary" disabled={!mayClose} onClick={close}>
          {t('Done')}
        </Button>
      }
    >
      {children}
      {agree !== undefined && (
        <Checkbox label={agree} checked={saved} onChange={(event) => setSaved(event.target.checked)} />
      )}
    </Dialog>
  );
}
