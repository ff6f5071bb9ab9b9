import { isLoopbackHost } from '../../kit/net/addresses.ts';
import { type CookieUse, cookieScope } from './cookies.ts';

/** The header in which better-auth gets the caller's address; callers cannot set it. */
export const addressHeader = 'x-florin-address';
export const passkeyCookie = 'passkey';

/** The address of the dashboard. Cookies, passkeys and trusted origins follow from it. */
export type Place = {
  /** As in an Origin header. */
  origin: string;
  /** The same origin in every notation: on the machine itself `localhost` and `127.0.0.1` are the same. */
  origins: string[];
  /** The path of the dashboard's API. */
  path: string;
  /** Whether it is reached only by https, except on the machine itself. */
  secure: boolean;
  /** The host of passkeys. Browsers make none for an IP address, so on the machine itself it is `localhost`. */
  passkeyHost: string;
};

/** The beginning of the names of Florin's cookies, and the path that they belong to. */
export function cookieScopeOf(place: Place): { prefix: string; path: string } {
  return cookieScope('florin', place);
}

/** The names of our cookies. All but the device's are better-auth's own, which `auth-library.ts` checks. */
export function cookieNames(place: Place): { [Use in CookieUse]: string } {
  const { prefix } = cookieScopeOf(place);
  return {
    session: `${prefix}session_token`,
    twoFactor: `${prefix}two_factor`,
    passkey: `${prefix}${passkeyCookie}`,
    device: `${prefix}device`,
  };
}

const loopbackNames = ['localhost', '127.0.0.1'];

/** What follows from the public address of the gateway (`BASE_URL`). */
export function placeOf(baseUrl: string): Place {
  const { origin, pathname, hostname, protocol } = new URL(`${baseUrl}/console`);
  const loopback = isLoopbackHost(hostname);
  return {
    origin,
    origins: loopback ? [origin, ...loopbackNames.map((name) => withHost(origin, name))] : [origin],
    path: pathname,
    secure: !(loopback && protocol === 'http:'),
    passkeyHost: loopback ? 'localhost' : hostname,
  };
}

function withHost(origin: string, name: string): string {
  const url = new URL(origin);
  url.hostname = name;
  return url.origin;
}
