import { Ban, ChevronDown, ExternalLink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMay, useScope } from '../../api/scope.ts';
import { groupDigits } from '../../ui/amount.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Menu } from '../../ui/menu.tsx';
import { type PaymentDetail, useCancel, useSimulate } from './queries.ts';

type Status = PaymentDetail['payment_status'];

const open: readonly Status[] = ['unlinked', 'linked'];
const moving: readonly Status[] = [...open, 'pending'];
const ended: readonly Status[] = [...moving, 'cancelled', 'failed'];

/** What test mode can play, and while a payment stands how. */
const outcomes: readonly { outcome: string; label: string; during: readonly Status[] }[] = [
  { outcome: 'success', label: 'Paid in full', during: ended },
  { outcome: 'underpaid', label: 'Half of it paid', during: ended },
  { outcome: 'overpaid', label: 'Half too much paid', during: ended },
  { outcome: 'split', label: 'Paid in two parts', during: ended },
  { outcome: 'slow', label: 'Confirmed slowly', during: moving },
  { outcome: 'late', label: 'Paid after the deadline', during: [...moving, 'cancelled'] },
  { outcome: 'wrong_token', label: 'Paid in another token', during: moving },
  { outcome: 'reorg', label: 'Seen, then lost', during: moving },
  { outcome: 'expire', label: 'Deadline passes', during: moving },
  { outcome: 'failure', label: 'Fails', during: moving },
  { outcome: 'dispute', label: 'Paid, then disputed', during: [...ended, 'completed'] },
];

/** What can be done with a payment, by those who may. */
export function PaymentActions({ payment }: { payment: PaymentDetail }): ReactNode {
  const { mode } = useScope();
  const mayCancel = useMay('cancel payments');
  const maySimulate = useMay('use test mode') && mode === 'test';
  const { payment_status: status, page_url } = payment;
  const isCancellable = mayCancel && open.includes(status);
  if (page_url === null && !isCancellable && !maySimulate) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {page_url !== null && (
        <>
          <Copy
            text={page_url}
            what="link of the customer's page"
            label="Copy link"
            variant="quiet"
            size="medium"
          />
          <a href={page_url} target="_blank" rel="noreferrer" className={buttonClass()}>
            <ExternalLink size={16} aria-hidden /> Customer's page
          </a>
        </>
      )}
      {maySimulate && <Simulate payment={payment} />}
      {isCancellable && <Cancel payment={payment} />}
    </div>
  );
}

function Simulate({ payment: { payment_reference, payment_status: status } }: { payment: PaymentDetail }) {
  const simulate = useSimulate(payment_reference);
  const items = outcomes
    .filter(({ during }) => during.includes(status))
    .map(({ outcome, label }) => ({ label, onSelect: () => simulate.mutate(outcome) }));
  if (items.length === 0) return null;
  return (
    <Menu
      heading="Test mode: what happens next"
      align="start"
      items={items}
      trigger={
        <Button pending={simulate.isPending}>
          Simulate <ChevronDown size={16} aria-hidden />
        </Button>
      }
    />
  );
}

function Cancel({ payment }: { payment: PaymentDetail }): ReactNode {
  const [asking, setAsking] = useState(false);
  const cancel = useCancel(payment.payment_reference);
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Ban size={16} aria-hidden /> Cancel payment
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Cancel this payment?"
        action="Cancel payment"
        danger
        onConfirm={async () => {
          await cancel.mutateAsync();
        }}
      >
        {groupDigits(payment.amount)} {payment.currency} will no longer be asked for. Money that comes all the
        same is kept in an appeal. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
