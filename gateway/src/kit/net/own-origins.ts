import { isLoopbackHost } from './addresses.ts';

/** Whether an Origin header names this gateway; `port`: the port of ours on which the request came. */
export type IsOwnOrigin = (origin: string, port: number | undefined) => boolean;

/**
 * The origins of these addresses. Where one names this machine, so does every other name of this machine with the port
 * that is served: people use any of them. A Host header alone makes no name ours, since the owner of a name can let it
 * lead here.
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
