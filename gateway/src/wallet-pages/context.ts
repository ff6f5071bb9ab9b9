import { type Format, formatOf } from '../checkout/format.ts';
import { type Locale, messagesOf } from '../checkout/locale.ts';
import { type Translate, translator } from '../checkout/messages/translate.ts';
import type { Mode } from '../identity/integration.ts';
import type { Html } from '../kit/http/html.ts';
import type { Assets } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import type { UserSession } from '../wallets/accounts/sessions.ts';
import type { SignUpMode } from '../wallets/accounts/sign-up.ts';
import type { WalletAssets } from './assets.ts';
import { sayIn } from './locale.ts';
import type { Say } from './messages/words.ts';
import type { FaultKey } from './notices.ts';

/** What is the same for every page of this gateway. */
export type Site = {
  /** Path of the wallet as browsers see it, without a slash at its end: `/wallet`. */
  path: string;
  /** Its public address, without a slash at its end. */
  url: string;
  assets: Assets;
  files: WalletAssets;
  signUp: SignUpMode;
};

/** What the parts of one page share. */
export type PageContext = {
  site: Site;
  locale: Locale;
  /** Whether the language was chosen on the page, and is to be kept by links and forms. */
  isChosen: boolean;
  say: Say;
  /** The words of the hosted page. */
  t: Translate;
  format: Format;
  mode: Mode;
  session: UserSession | null;
  now: Date;
  /** The query of the page, in which a link to another language changes `lang`. */
  here: URLSearchParams;
  /** The page's own path below the wallet's. */
  page: string;
  /** Whether the page was reached by a name: browsers make no passkeys for an IP address. */
  hasName: boolean;
  /** The page that is to follow the sign-in; null: the first one. */
  next: Next | null;
};

/** A page of the wallet, and its query. */
export type Next = { to: string; query?: Record<string, string> };

/** One page: its title, what it shows, the status of the answer, and its mode where that is not the address's. */
export type View = {
  title: { text: string };
  main: Html;
  status?: number;
  nav?: NavPage;
  fault?: FaultKey;
  mode?: Mode;
};
export type NavPage = 'home' | 'history' | 'account';

export function contextOf(
  site: Site,
  given: Omit<PageContext, 'site' | 'say' | 't' | 'format'>,
): PageContext {
  const { locale } = given;
  return {
    ...given,
    site,
    say: sayIn(locale),
    t: translator(locale, messagesOf(locale)),
    format: formatOf(locale),
  };
}

/** The pages of the sign-in and the sign-up. */
const entrance = ['sign-in', 'sign-in-passkey', 'sign-up', 'code'];

/** The parameters of a page that its links and forms keep: the language, the mode, and the page after the sign-in. */
export function keptBy({ locale, isChosen, mode, next }: PageContext, page: string): Record<string, string> {
  return {
    ...(mode === 'test' ? { mode } : {}),
    ...(isChosen ? { lang: locale } : {}),
    ...(next && entrance.includes(page) ? { next: textOfNext(next) } : {}),
  };
}

/** Pages that may follow a sign-in. */
const followers = [
  ...['', 'pay', 'send', 'receive', 'withdraw', 'withdrawal', 'history', 'history/entry'],
  ...['currency', 'account', 'proof'],
];

/** The page that a field names; null when it may not follow a sign-in. */
export function nextOf(text: string | undefined): Next | null {
  const [to = '', search = ''] = (text ?? '').split('?', 2);
  if (text === undefined || !followers.includes(to)) return null;
  return { to, query: Object.fromEntries(new URLSearchParams(search)) };
}

export function textOfNext({ to, query = {} }: Next): string {
  const search = new URLSearchParams(query).toString();
  return search === '' ? to : `${to}?${search}`;
}

/** A link to a page of the wallet, with the parameters of `keptBy`. */
export function linkTo(context: PageContext, page: string, query: Record<string, string> = {}): string {
  const { site } = context;
  const kept = keptBy(context, page);
  const search = new URLSearchParams({ ...kept, ...query }).toString();
  return `${site.path}/${page}${search === '' ? '' : `?${search}`}`;
}

/** An amount of an asset with its currency, in the format of the page's language. */
export function amountOf({ site, format }: PageContext, code: string, units: bigint): string {
  const asset = site.assets.get(code);
  return format.amount(decimalOf(units, asset.scale), asset.currency);
}
