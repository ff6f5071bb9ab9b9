import { isLoopbackHost } from './addresses.ts';

/** Whether an Origin header names this gateway; `port`: the port of ours on which the request came. */
export type IsOwnOrigin = (origin: string, port: number | undefined) => boolean;

/**
 * The origins of these addresses. Where one is of this machine, so is every name of it with the port that is served: in a
 * browser's address bar they are alike. No other name is one of ours because a Host header says so: whoever owns a name
 * can let it lead here.
 */
export function ownOrigins(addresses: readonly string[]): IsOwnOrigin {
  const urls = addresses.map((address) => new URL(address));
  const origins = new Set(urls.map(({ origin }) => origin));
  const onLoopback = urls.some(({ hostname }) => isLoopbackHost(hostname));
  const localPorts = new Set(urls.filter(({ hostname }) => isLoopbackHost(hostname)).map(portOf));
  return (origin, port) => {
    if (origins.has(origin)) return true;
    const url = onLoopback ? URL.parse(origin) : null;
    if (!url || !isLoopbackHost(url.hostname)) return false;
    return portOf(url) === port || localPorts.has(portOf(url));
  };
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number.parseInt(port, 10);
  return protocol === 'https:' ? 443 : 80;
}
