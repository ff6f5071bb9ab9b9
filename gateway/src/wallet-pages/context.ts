import { type Format, formatOf } from '../checkout/format.ts';
import { type Locale, MESSAGES } from '../checkout/locale.ts';
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
  /** Path and query of the page, in which the language may be changed; null: it has no address of its own. */
  here: URLSearchParams;
  /** The page's own path below the wallet's. */
  page: string;
};

/** One page: its title, what it shows, and the status of the answer. */
export type View = { title: { text: string }; main: Html; status?: number; nav?: NavPage; fault?: FaultKey };
export type NavPage = 'home' | 'history' | 'account';

export function contextOf(
  site: Site,
  given: Pick<PageContext, 'locale' | 'isChosen' | 'mode' | 'session' | 'now' | 'here' | 'page'>,
): PageContext {
  const { locale } = given;
  return {
    ...given,
    site,
    say: sayIn(locale),
    t: translator(locale, MESSAGES[locale]),
    format: formatOf(locale),
  };
}

/** A link to a page of the wallet, which keeps the language and the mode. */
export function linkTo(
  { site, locale, isChosen, mode }: PageContext,
  page: string,
  query: Record<string, string> = {},
): string {
  const kept = { ...(mode === 'test' ? { mode } : {}), ...(isChosen ? { lang: locale } : {}) };
  const search = new URLSearchParams({ ...kept, ...query }).toString();
  return `${site.path}/${page}${search === '' ? '' : `?${search}`}`;
}

/** An amount of an asset with its currency, in the format of the page's language. */
export function amountOf({ site, format }: PageContext, code: string, units: bigint): string {
  const asset = site.assets.get(code);
  return format.amount(decimalOf(units, asset.scale), asset.currency);
}
