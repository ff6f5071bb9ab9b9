import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { PaymentView } from './payment-view.tsx';

/** One payment on a page of its own, the same as in the drawer of the list. */
export function PaymentPage(): ReactNode {
  const { reference = '' } = useParams({ strict: false });
  const { integrationId, mode } = useScope();
  return (
    <>
      <PageHeader
        title={t('Payment')}
        windowTitle={t('Payment {reference}', { reference })}
        back={
          <Link
            to="/i/$integration/$mode/payments"
            params={{ integration: integrationId, mode }}
            className="hover:text-ink hover:underline"
          >
            {t('Payments')}
          </Link>
        }
      />
      <PaymentView reference={reference} wide />
    </>
  );
}
