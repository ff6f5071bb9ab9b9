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
import { AskedFields, askedOf } from './asked-fields.tsx';
import { buttonSnippet, type LinkData } from './queries.ts';
import { Share } from './share.tsx';

type Kind = 'link' | 'payment';
type Made = { url: string; name: string; snippet?: string };

export type NewPaymentProps = { kind: Kind | undefined; onClose: () => void };

const kinds: { value: string; label: string }[] = [
  { value: 'payment', label: t('One payment, to be paid now') },
  { value: 'one', label: t('A link for one payment') },
  { value: 'many', label: t('A link for any number of payments') },
];

/** Enter then copies the address. The form that had the focus is gone. */
const focusFirstButton = (element: HTMLElement | null): void => element?.querySelector('button')?.focus();

/** Makes a payment or a payment link, and shows its address, a QR code and a button. */
export function NewPayment({ kind, onClose }: NewPaymentProps): ReactNode {
  const { path, mode } = useScope();
  const refresh = useRefresh();
  const [made, setMade] = useState<Made>();
  const [idempotencyKey, setKey] = useState(newIdempotencyKey);

  function close(): void {
    setMade(undefined);
    onClose();
  }

  async function send(values: FormValues): Promise<void> {
    setMade(await make(path, values, idempotencyKey));
    setKey(newIdempotencyKey());
    await refresh(path('/payment-links'), path('/payments'), path('/onboarding'));
  }

  return (
    <Drawer open={kind !== undefined} onClose={close} title={t('New payment')} beginsInField>
      {made ? (
        <div ref={focusFirstButton} className="grid gap-6">
          <Share {...made} />
          <p>
            <a className={buttonClass('primary')} href={made.url} target="_blank" rel="noreferrer">
              {t('Open its page')}
            </a>
          </p>
        </div>
      ) : (
        <>
          {mode === 'test' && (
            <Banner tone="waiting" title={t('Test mode')}>
              {t('Its page simulates the payment: no money moves.')}
            </Banner>
          )}
          <Form onSend={send} label={t('New payment')}>
            <Input name="title" label={t('For what')} required maxLength={120} autoComplete="off" />
            <AskedFields />
            <Select
              name="kind"
              label={t('How often')}
              defaultValue={kind === 'payment' ? 'payment' : 'many'}
              choices={kinds}
            />
            <div className="flex justify-end">
              <SubmitButton>{t('Make it')}</SubmitButton>
            </div>
          </Form>
        </>
      )}
    </Drawer>
  );
}

async function make(
  path: (rest: string) => string,
  { title = '', kind = '', ...asks }: FormValues,
  idempotencyKey: string,
): Promise<Made> {
  const { amount: plain, isPrice, asked } = askedOf(asks);
  if (kind === 'payment') {
    const isNumber = /^\d+(?:\.\d+)?$/.test(plain);
    const price = isNumber ? (JSON.parse(plain.replace(/^0+(?=\d)/, '')) as number) : null;
    const items = price === null ? [] : [{ name: title, price, quantity: 1 }];
    const body = {
      ...(!isPrice && { amount: price }),
      ...asked,
      payment_type: 'deposit',
      item_list: { items },
    };
    const { PaymentURL } = await api<{ PaymentURL: string }>(path('/payments'), { body, idempotencyKey });
    return { url: PaymentURL, name: title };
  }
  const body = {
    title,
    ...asked,
    ...(plain !== '' && !isPrice && { amount: plain }),
    one_use: kind === 'one',
  };
  const link = await api<LinkData>(path('/payment-links'), { body, idempotencyKey });
  return { url: link.url, name: title, snippet: buttonSnippet(link) };
}
