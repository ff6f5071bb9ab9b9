import { type ReactNode, useState } from 'react';
import { Button } from '../button/button.tsx';
import { Checkbox } from '../form/checkbox.tsx';
import { Dialog } from './dialog.tsx';

export type ShownOnceProps = {
  open: boolean;
  title: string;
  description: string;
  /** The confirmation before it closes: `I have saved it`. */
  agree: string;
  children: ReactNode;
  onClose: () => void;
};

/** Shows something that cannot be shown again; it closes when the person confirms that they have it. */
export function ShownOnce({ open, agree, children, onClose, ...words }: ShownOnceProps): ReactNode {
  const [saved, setSaved] = useState(false);

  function close(): void {
    if (!saved) return;
    setSaved(false);
    onClose();
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      {...words}
      footer={
        <Button variant="primary" disabled={!saved} onClick={close}>
          Done
        </Button>
      }
    >
      {children}
      <Checkbox label={agree} checked={saved} onChange={(event) => setSaved(event.target.checked)} />
    </Dialog>
  );
}
