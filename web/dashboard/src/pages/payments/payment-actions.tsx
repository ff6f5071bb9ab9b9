import { Ban, ExternalLink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../api/scope.ts';
import { amountText } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { Copy } from '../../ui/button/copy.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { type PaymentDetail, useCancel } from './queries.ts';

type Status = PaymentDetail['payment_status'];

const open: readonly Status[] = ['unlinked', 'linked'];
/** What the person may do with a payment. */
export function PaymentActions({ payment }: { payment: PaymentDetail }): ReactNode {
  const mayCancel = useMay('cancel payments');
  const { payment_status: status, page_url } = payment;
  const isCancellable = mayCancel && open.includes(status);
  if (page_url === null && !isCancellable) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {page_url !== null && (
        <>
          <Copy
            text={page_url}
            what={t("link of the customer's page")}
            label={t('Copy link')}
            variant="quiet"
            size="medium"
          />
          <a href={page_url} target="_blank" rel="noreferrer" className={buttonClass()}>
            <ExternalLink size={16} aria-hidden /> {t("Customer's page")}
          </a>
        </>
      )}
      {isCancellable && <Cancel payment={payment} />}
    </div>
  );
}

function Cancel({ payment }: { payment: PaymentDetail }): ReactNode {
  const [asking, setAsking] = useState(false);
  const cancel = useCancel(payment.payment_reference);
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Ban size={16} aria-hidden /> {t('Cancel payment')}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('Cancel this payment?')}
        action={t('Cancel payment')}
        danger
        onConfirm={async () => {
          await cancel.mutateAsync();
        }}
      >
        {t(
          '{amount} {currency} can no longer be paid. Money that still arrives opens an appeal. This cannot be undone.',
          { amount: amountText(payment.amount, payment.currency), currency: payment.currency },
        )}
      </ConfirmDialog>
    </>
  );
}
