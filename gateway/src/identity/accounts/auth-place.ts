import ipaddr from 'ipaddr.js';
import type { CookieUse } from './cookies.ts';

/** The header that tells better-auth where a call came from; callers cannot set it. */
export const addressHeader = 'x-florin-address';
export const cookiePrefix = 'florin';
export const passkeyCookie = 'passkey';

/** Where browsers find the dashboard, which decides about cookies, passkeys and trusted callers. */
export type Place = {
  /** As in an Origin header. */
  origin: string;
  /** The same in every spelling: on the machine itself `localhost` and `127.0.0.1` are one. */
  origins: string[];
  /** Of the dashboard's API; cookies belong to it. */
  path: string;
  /** Whether it is only reached by https, except on the machine itself. */
  secure: boolean;
  /** Browsers make no passkey for an IP address: on the machine itself it takes the name. */
  passkeyHost: string;
};

/** What the name of each cookie of ours begins with. */
export function cookiePrefixOf({ secure }: Place): string {
  return `${secure ? '__Secure-' : ''}${cookiePrefix}.`;
}

/** What better-auth calls its cookies; `auth-library.ts` makes sure of it. */
export function cookieNames(place: Place): { [Use in CookieUse]: string } {
  const prefix = cookiePrefixOf(place);
  return {
    session: `${prefix}session_token`,
    twoFactor: `${prefix}two_factor`,
    passkey: `${prefix}${passkeyCookie}`,
  };
}

const loopbackNames = ['localhost', '127.0.0.1'];

/** What follows from the public address of the gateway (`BASE_URL`). */
export function placeOf(baseUrl: string): Place {
  const { origin, pathname, hostname, protocol } = new URL(`${baseUrl}/console`);
  const loopback = isLoopback(hostname);
  return {
    origin,
    origins: loopback ? [origin, ...loopbackNames.map((name) => withHost(origin, name))] : [origin],
    path: pathname,
    secure: !(loopback && protocol === 'http:'),
    passkeyHost: loopback ? 'localhost' : hostname,
  };
}

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return (
    hostname === 'localhost' || (ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback')
  );
}

function withHost(origin: string, name: string): string {
  const url = new URL(origin);
  url.hostname = name;
  return url.origin;
}
