import { api } from '../../../api/client.ts';
import type { Asked } from './asked-fields.tsx';

/** A payment that was created: what for, how much was asked, and where it is paid. */
export type MadePayment = Pick<Asked, 'amount' | 'currency'> & {
  title: string;
  reference: string;
  url: string;
};

type Created = { PaymentURL: string; PaymentData: { payment_reference: string } };
type Input = Asked & { title: string; idempotencyKey: string };

/** Creates a payment at `path`, whose one item is `title`. Throws the gateway's refusal. */
export async function createPayment(path: string, input: Input): Promise<MadePayment> {
  const { title, amount, currency, isPrice, asked, idempotencyKey } = input;
  // As a JSON number with every digit that was typed.
  const price = JSON.parse(amount.replace(/^0+(?=\d)/, '')) as number;
  const body = {
    ...(!isPrice && { amount: price }),
    ...asked,
    payment_type: 'deposit',
    item_list: { items: [{ name: title, price, quantity: 1 }] },
  };
  const { PaymentURL: url, PaymentData } = await api<Created>(path, { body, idempotencyKey });
  return { title, amount, currency, url, reference: PaymentData.payment_reference };
}
