import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Form, type FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { AskedFields, askedOf } from '../payments/new/asked-fields.tsx';
import { Share } from '../payments/new/share.tsx';
import { ButtonForPage } from './button-for-page.tsx';
import { amountWords, type LinkData } from './queries.ts';

const kinds: { value: string; label: string }[] = [
  { value: 'many', label: t('Any number of payments') },
  { value: 'one', label: t('One payment') },
];

/** Enter then copies the address. The form that had the focus is gone. */
const focusFirstButton = (element: HTMLElement | null): void => element?.querySelector('button')?.focus();

/** Creates a payment link, and shows its address, a QR code and a button. */
export function NewLink({ onClose }: { onClose: () => void }): ReactNode {
  const { path, mode } = useScope();
  const refresh = useRefresh();
  const [made, setMade] = useState<LinkData>();
  const [idempotencyKey, setKey] = useState(newIdempotencyKey);

  async function send({ title, kind, ...values }: FormValues): Promise<void> {
    const { amount, isPrice, asked } = askedOf(values);
    const sum = amount !== '' && !isPrice ? { amount } : {};
    const body = { title, ...asked, ...sum, one_use: kind === 'one' };
    setMade(await api<LinkData>(path('/payment-links'), { body, idempotencyKey }));
    setKey(newIdempotencyKey());
    await refresh(path('/payment-links'));
  }

  return (
    <Drawer
      open
      onClose={onClose}
      title={made ? t('Payment link created') : t('New payment link')}
      beginsInField
    >
      {made ? (
        <div ref={focusFirstButton} className="grid gap-6">
          <Banner
            tone="paid"
            role="status"
            title={t('{amount} for {title}', { amount: amountWords(made), title: made.title })}
          />
          <Share url={made.url} name={made.title} />
          <p>
            <a className={buttonClass('primary')} href={made.url} target="_blank" rel="noreferrer">
              {t('Open its page')}
            </a>
          </p>
          <ButtonForPage link={made} />
        </div>
      ) : (
        <>
          {mode === 'test' && (
            <Banner tone="waiting" title={t('Test mode')}>
              {t('Its page simulates the payment: no money moves.')}
            </Banner>
          )}
          <Form onSend={send} label={t('New payment link')}>
            <Input
              name="title"
              label={t('For what')}
              help={t('Required. The customer reads it on the page.')}
              required
              maxLength={120}
              autoComplete="off"
            />
            <AskedFields mayBeEmpty />
            <Select name="kind" label={t('For how many payments')} defaultValue="many" choices={kinds} />
            <div className="flex justify-end">
              <SubmitButton>{t('Create the link')}</SubmitButton>
            </div>
          </Form>
        </>
      )}
    </Drawer>
  );
}
