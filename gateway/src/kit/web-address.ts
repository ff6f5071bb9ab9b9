// What RFC 3986 allows in an http or https address; a percent sign only before two hex digits.
const part = "[\\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2}";
const uri = new RegExp(
  `^https?://(?:(?:${part})*@)?(?:[\\w.~-]+|\\[[0-9a-f:.]+\\])(?::\\d*)?(?:/(?:${part})*)?(?:\\?(?:${part}|\\?)*)?(?:#(?:${part}|\\?)*)?$`,
  'i',
);

/** The parsed text, where browsers take it as an absolute http or https address; it need not be written as a URI. */
export function parseWebAddress(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^https?:\/\//i.test(text) && url.hostname !== '' ? url : null;
}

/**
 * A web address as a URI: one that is a URI stays as it is, byte for byte; another is written as browsers send it.
 * `parsed`: the same, where it was parsed before.
 */
export function uriOf(address: string, parsed?: URL): string {
  if (uri.test(address)) return address;
  const { origin, pathname, search, hash, username, password } = parsed ?? new URL(address);
  const credentials = username || password ? `${username}${password && `:${password}`}@` : '';
  const [scheme, host] = origin.split('//') as [string, string];
  return `${scheme}//${credentials}${host}${written(pathname)}${written(search, '?')}${written(hash, '#')}`;
}

/** Escapes characters that browsers leave as they are but that a URI may not contain. */
function written(component: string, prefix = ''): string {
  const text = component.slice(prefix.length);
  const unsafe = prefix === '' ? /[^\w.~!$&'()*+,;=:@/%-]/gu : /[^\w.~!$&'()*+,;=:@/?%-]/gu;
  const escaped = text.replace(/%(?![0-9a-f]{2})/gi, '%25').replace(unsafe, encodeURIComponent);
  return component === '' ? '' : `${prefix}${escaped}`;
}

/** True where the address names a user or a password. */
export function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}
