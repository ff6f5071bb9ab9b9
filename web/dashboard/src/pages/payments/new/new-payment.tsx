import { type ReactNode, useState } from 'react';
import { newIdempotencyKey } from '../../../api/idempotency-key.ts';
import { useRefresh } from '../../../api/refresh.ts';
import { useScope } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Form, type FormValues } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { AskedFields, askedOf } from './asked-fields.tsx';
import { createPayment, type MadePayment } from './create-payment.ts';
import { PaymentMade } from './payment-made.tsx';

/** Creates a payment that is to be paid now, and shows what was created. */
export function NewPayment({ onClose }: { onClose: () => void }): ReactNode {
  const { path, mode } = useScope();
  const refresh = useRefresh();
  const [made, setMade] = useState<MadePayment>();
  const [idempotencyKey, setKey] = useState(newIdempotencyKey);

  async function send({ title = '', ...values }: FormValues): Promise<void> {
    setMade(await createPayment(path('/payments'), { title, ...askedOf(values), idempotencyKey }));
    setKey(newIdempotencyKey());
    await refresh(path('/payments'), path('/onboarding'));
  }

  return (
    <Drawer open onClose={onClose} title={made ? t('Payment created') : t('New payment')} beginsInField>
      {made ? (
        <PaymentMade made={made} />
      ) : (
        <>
          {mode === 'test' && (
            <Banner tone="waiting" title={t('Test mode')}>
              {t('Its page simulates the payment: no money moves.')}
            </Banner>
          )}
          <Form onSend={send} label={t('New payment')}>
            <Input
              name="title"
              label={t('For what')}
              help={t('Required. The customer reads it on the page.')}
              required
              maxLength={120}
              autoComplete="off"
            />
            <AskedFields />
            <div className="flex justify-end">
              <SubmitButton>{t('Create the payment')}</SubmitButton>
            </div>
          </Form>
        </>
      )}
    </Drawer>
  );
}
