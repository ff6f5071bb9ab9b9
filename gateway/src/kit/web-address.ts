// What RFC 3986 lets stand in an http or https address; a percent sign stands before two hex digits alone.
const part = "[\\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2}";
const uri = new RegExp(
  `^https?://(?:(?:${part})*@)?(?:[\\w.~-]+|\\[[0-9a-f:.]+\\])(?::\\d*)?(?:/(?:${part})*)?(?:\\?(?:${part}|\\?)*)?(?:#(?:${part}|\\?)*)?$`,
  'i',
);

/** True for text that browsers take as an absolute http or https address, also where it is not written as a URI. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:\/\//i.test(text) && url.hostname !== '';
}

/** A web address as a URI: what is one already stays as it is, byte for byte; the rest is written as browsers send it. */
export function uriOf(address: string): string {
  if (uri.test(address)) return address;
  const { origin, pathname, search, hash, username, password } = new URL(address);
  const credentials = username || password ? `${username}${password && `:${password}`}@` : '';
  const [scheme, host] = origin.split('//') as [string, string];
  return `${scheme}//${credentials}${host}${written(pathname)}${written(search, '?')}${written(hash, '#')}`;
}

/** Escapes what browsers leave as it is though no URI may hold it. */
function written(component: string, prefix = ''): string {
  const text = component.slice(prefix.length);
  const stray = prefix === '' ? /[^\w.~!$&'()*+,;=:@/%-]/gu : /[^\w.~!$&'()*+,;=:@/?%-]/gu;
  const escaped = text.replace(/%(?![0-9a-f]{2})/gi, '%25').replace(stray, encodeURIComponent);
  return component === '' ? '' : `${prefix}${escaped}`;
}

/** True where the address names a user or a password. */
export function hasCredentials(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.username !== '' || url.password !== '');
}
