/** An endpoint's address without its name and password, and the header that carries these. */
export function targetOf(url: string): { address: string; headers: Record<string, string> } {
  const address = new URL(url);
  const { username, password } = address;
  address.username = '';
  address.password = '';
  if (!username && !password) return { address: address.href, headers: {} };
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = `Basic ${Buffer.from(text).toString('base64')}`;
  return { address: address.href, headers: { authorization } };
}

/** A text in which spaces replace control characters and lone surrogates, which PostgreSQL refuses. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]/gu, ' ');

/** Returns a function that hides parts of the address in a text: they may be keys, and providers repeat them in messages. */
export function createSecretHider(url: string): (text: string) => string {
  const { href, username, password, pathname, searchParams } = new URL(url);
  const secrets = [href, username, password, ...pathname.split('/'), ...[...searchParams].flat()]
    .filter((part) => part.length >= 6)
    .sort((one, other) => other.length - one.length);
  return (text) =>
    plain(secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text).slice(0, 300));
}

/** The name of an endpoint that may be shown: its host and its place in the configuration. */
export const endpointName = (url: string, at: number): string => `${new URL(url).host} #${at + 1}`;
