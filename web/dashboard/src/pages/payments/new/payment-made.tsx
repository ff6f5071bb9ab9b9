import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../../api/scope.ts';
import { amountText } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { buttonClass } from '../../../ui/button/button.tsx';
import { PaymentLink } from '../../../ui/display/payment-link.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import type { MadePayment } from './create-payment.ts';
import { Share } from './share.tsx';

/** Enter then copies the address. The form that had the focus is gone. */
const focusFirstButton = (element: HTMLElement | null): void => element?.querySelector('button')?.focus();

/** What was created, for how much, where it is paid, and the way to it. */
export function PaymentMade({ made }: { made: MadePayment }): ReactNode {
  const { integrationId: integration, mode } = useScope();
  const { title, currency, reference, url } = made;
  const amount = amountText(made.amount, currency);
  return (
    <div ref={focusFirstButton} className="grid gap-6">
      <Banner
        tone="paid"
        role="status"
        title={t('{amount} {currency} for {title}', { amount, currency, title })}
      >
        <p>{t('It waits for the customer. Send them its address.')}</p>
        <p className="mt-1">
          <PaymentLink reference={reference} />
        </p>
      </Banner>
      <Share url={url} name={title} />
      <div className="flex flex-wrap gap-2">
        <Link
          to="/i/$integration/$mode/payments"
          params={{ integration, mode }}
          search={{ open: reference }}
          className={buttonClass('primary')}
        >
          {t('Open the payment')}
        </Link>
        <a className={buttonClass()} href={url} target="_blank" rel="noreferrer">
          {t('Open its page')}
        </a>
      </div>
    </div>
  );
}
