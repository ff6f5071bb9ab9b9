import { given, type RawSearch, textParam } from '../../api/search.ts';

/** What a shop asks for: permissions with commas between them, its name, and where it waits for the key. */
export function readConnectSearch(raw: RawSearch) {
  return given({
    permissions: textParam(raw.permissions, 1_000),
    application: textParam(raw.application, 100),
    redirect: textParam(raw.redirect, 1_500),
  });
}

/** The shop's address; null where no key is sent: anything but https, and this machine in test mode. */
export function shopOf(redirect: string | undefined): { url: URL; isLocal: boolean } | null {
  const url = redirect === undefined ? null : URL.parse(redirect);
  if (url?.username !== '' || url.password !== '') return null;
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) return null;
  return { url, isLocal: url.protocol === 'http:' };
}
