import type { CheckoutPayment, PaidShop } from './checkout-payment.ts';

/** The page of a payment in a frame of its shop (contract.md#frames). */
export type Frame = {
  /** The origin of the page around it, to which its messages go; null: it was not named, or may not frame the payment. */
  parent: string | null;
  /** The page around it takes the frame away when it is told to. */
  isClosable: boolean;
};

type Framed = Pick<CheckoutPayment, 'mode'> & { integration: Pick<PaidShop, 'domain'> };

/** A policy knows no address of this machine but the first; `http:` stands for `https:` too. */
const loopbackHosts = ['localhost', '127.0.0.1'];

/** Whose pages may show a payment in a frame, as the sources of a content security policy. */
export function ancestorsOf({ mode, integration: { domain } }: Framed): string {
  const sources = [
    ...(domain === null ? [] : [`https://${domain}`, `https://*.${domain}`]),
    ...(mode === 'test' ? loopbackHosts.map((host) => `http://${host}:*`) : []),
  ];
  return sources.join(' ') || "'none'";
}

/** Whether `ancestorsOf` names an origin. */
export function isAncestor({ mode, integration: { domain } }: Framed, origin: string): boolean {
  const url = URL.parse(origin);
  if (!url || url.origin !== origin) return false;
  const { protocol, hostname, port } = url;
  if (mode === 'test' && loopbackHosts.includes(hostname)) return /^https?:$/.test(protocol);
  if (domain === null || protocol !== 'https:' || port !== '') return false;
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** Where the page for frames is, beside the page on its own. */
export const framePath = (payPath: string): string => `${payPath}/frame`;

/** The parameters that keep a page in its frame: they stand in its addresses and forms. */
export function frameFields(frame: Frame | null | undefined): Record<string, string> {
  if (!frame) return {};
  return { ...(frame.parent !== null && { parent: frame.parent }), ...(frame.isClosable && { close: '1' }) };
}

/**
 * What the page around a frame is told at every change of the status: of an invoice in the words that plug-ins for BTCPay
 * Server expect.
 */
export function statusMessage(view: CheckoutPayment): { invoiceId: string; status: string } {
  if (view.paysOnly) return { invoiceId: view.token, status: statusOfInvoice(view) };
  return { invoiceId: view.reference, status: view.status };
}

function statusOfInvoice({ status, reason, amountMissing, completedAt }: CheckoutPayment): string {
  switch (status) {
    case 'completed':
      return 'complete';
    case 'pending':
      return amountMissing === '0' ? 'paid' : 'new';
    case 'failed':
      return 'invalid';
    case 'cancelled':
      return reason === 'customer' || reason === 'merchant' ? 'invalid' : 'expired';
    case 'in-appeal':
      return completedAt === null ? 'expired' : 'complete';
    default:
      return 'new';
  }
}
