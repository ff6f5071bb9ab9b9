import { type ReactNode, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { useRefresh } from '../../api/refresh.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../button/button.tsx';
import { Banner } from '../feedback/banner.tsx';
import { Input } from '../form/input.tsx';
import { type Words, wordsOf } from '../toast/done.ts';
import { toast } from '../toast/toast.ts';
import { Dialog } from './dialog.tsx';

export type ConfirmDialogProps<Result> = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, whether money moves, and whether it can be undone. */
  children?: ReactNode;
  /** The act itself, as the button says it: `Delete the endpoint`. */
  action: string;
  /** Runs the act; the dialog closes when it resolves, and shows what it throws. */
  onConfirm: () => Promise<Result>;
  /** What the toast says when it worked; none is shown without it. */
  done?: Words<Result>;
  /** Paths whose reads are stale afterwards, with everything below them. */
  changes?: readonly string[];
  danger?: boolean;
  /** What has to be typed first, for acts that cannot be undone. */
  typed?: string;
};

/** Asks before an act that matters. */
export function ConfirmDialog<Result>(props: ConfirmDialogProps<Result>): ReactNode {
  const {
    open,
    onClose,
    title,
    children,
    action,
    onConfirm,
    done,
    changes = [],
    danger = false,
    typed,
  } = props;
  const refresh = useRefresh();
  const [pending, setPending] = useState(false);
  const [fault, setFault] = useState<string>();
  const [text, setText] = useState('');

  function close(): void {
    setFault(undefined);
    setText('');
    onClose();
  }

  async function confirm(): Promise<void> {
    setPending(true);
    setFault(undefined);
    try {
      const result = await onConfirm();
      if (done !== undefined) toast(wordsOf(done, result));
      await refresh(...changes);
      close();
    } catch (error) {
      setFault(messageOf(error));
    } finally {
      setPending(false);
    }
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      footer={
        <>
          <Button onClick={close}>{t('Back')}</Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            pending={pending}
            disabled={typed !== undefined && text.trim() !== typed}
            onClick={confirm}
          >
            {action}
          </Button>
        </>
      }
    >
      {children !== undefined && <div className="grid gap-3 text-sm">{children}</div>}
      {typed !== undefined && (
        <Input
          code
          label={rich('Type {span} to confirm', { span: <span className="font-mono">{typed}</span> })}
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {fault !== undefined && (
        <Banner tone="lost" role="alert">
          {fault}
        </Banner>
      )}
    </Dialog>
  );
}
