import type { CheckoutAssets } from './assets.ts';
import type { CheckoutPayment } from './checkout-payment.ts';
import { type Format, formatOf } from './format.ts';
import { type Frame, frameFields, framePath } from './frame.ts';
import { type Locale, messagesOf } from './locale.ts';
import { type Translate, translator } from './messages/translate.ts';
import type { MixChoice } from './mix-choice.ts';
import type { ClaimDraft } from './owed.ts';
import { framePage, payingPage, type Section, wholePage } from './sections.ts';

/** What every page needs besides its payment. */
export type PageOptions = {
  locale: Locale;
  /** Path of the hosted page, such as `/pay`; forms post below it. */
  payPath: string;
  /** Address of the wallet pages, where signed-in users pay; null or absent: there are no such pages. */
  walletUrl?: string | null;
  /** The installation's address of the hosted page, on a page at a domain of a merchant: passwords are typed there alone. */
  installationPage?: string;
  /** Public origin of the page, such as `https://pay.example`. Only an https one is shown as a QR code for phones. */
  origin: string;
  now: Date;
  /** The list of languages is shown in place of the page. */
  asksLanguage?: boolean;
  /** The `notice` query parameter as received. An unknown one shows nothing. */
  notice?: string | undefined;
  /** The transaction that a refused claim named; its field shows it again, beside the notice. */
  claimed?: string | undefined;
  /** A refused choice of combined outcomes, which the form shows again. */
  mixChoice?: MixChoice | null;
  /** Why that choice was refused, in English. */
  mixRefusal?: string | null;
  /** A claim of what is owed, which the page shows once more; it is the answer of `POST {pay_url}/refund`. */
  claim?: ClaimDraft | null;
  /** Masks the payment's token in this answer; absent: it is written as it is. */
  maskToken?: ((token: string) => string) | undefined;
  /** Whether the request came from the Pi Browser. */
  isPiBrowser?: boolean | undefined;
  assets: CheckoutAssets;
  /** The frame of a shop that the page is in; null or absent: it stands on its own. */
  frame?: Frame | null;
};

/** What the views of one page share. */
export type PageContext = PageOptions & {
  view: CheckoutPayment;
  t: Translate;
  format: Format;
  /** The three values that every call of the page carries (contract.md#page). */
  credentials: Credentials;
  /** The same as a query string. */
  query: string;
  /** Path of this page, below which its forms post. */
  path: string;
  /** The values that its addresses and forms carry. */
  fields: Record<string, string>;
  /** Its own address in a language. */
  hrefIn: (locale: Locale) => string;
  /** Whether the page offers something, or leaves it to the page on its own. */
  offers: (section: Section) => boolean;
  /** Formats an amount of the currency in which the payment is paid; while it is open, of its price's. */
  amount: (decimal: string) => string;
  /** Formats an amount of what the merchant asked: of the price's currency where there is one. */
  asked: (decimal: string) => string;
};

/** Joins a payment with the language and addresses of its page. */
export function pageContext(view: CheckoutPayment, options: PageOptions): PageContext {
  const format = formatOf(options.locale);
  const named = credentials(view, options.maskToken);
  const { payPath, frame } = options;
  const path = frame ? framePath(payPath) : payPath;
  const fields = { ...named, ...frameFields(frame) };
  const sections = frame ? framePage : view.paysOnly ? payingPage : wholePage;
  return {
    ...options,
    view,
    format,
    t: translator(options.locale, messagesOf(options.locale)),
    credentials: named,
    query: new URLSearchParams(named).toString(),
    path,
    fields,
    hrefIn: (locale) => `${path}?${new URLSearchParams(fields)}&lang=${locale}`,
    offers: (section) => sections.includes(section),
    amount: (decimal) => format.amount(decimal, view.currency),
    asked: (decimal) => format.amount(decimal, (view.price ?? view).currency),
  };
}

type Credentials = Record<'reference' | 'app' | 'token', string>;

function credentials(view: CheckoutPayment, maskToken = (token: string) => token): Credentials {
  return { reference: view.reference, app: view.integration.id, token: maskToken(view.token) };
}

/** The parameters that name a payment, in an address that people keep. */
export function pageQuery(view: CheckoutPayment): string {
  return new URLSearchParams(credentials(view)).toString();
}
