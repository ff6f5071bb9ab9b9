import type { FastifyRequest } from 'fastify';
import { isLoopbackHost } from '../../kit/net/addresses.ts';
import type { AddressSeen } from './answers.ts';

type Address = { baseUrl: string; trustProxy: boolean };
type AddressFault = AddressSeen['faults'][number];

/**
 * What the gateway sees of a browser's call, and what of that is not as the settings say. `origin`: the address by which the
 * browser came, as it says itself.
 */
export function seeAddress(request: FastifyRequest, origin: string, settings: Address): AddressSeen {
  const seen = {
    ...{ scheme: request.protocol, host: request.host, client: request.ip },
    isProxied: request.headers['x-forwarded-for'] !== undefined,
  };
  const { scheme, host, client } = seen;
  return { scheme, host, client, faults: [...faultsOf(seen, origin, settings)] };
}

type Seen = { scheme: string; host: string; isProxied: boolean };

function* faultsOf(seen: Seen, origin: string, { baseUrl, trustProxy }: Address): Generator<AddressFault> {
  const { protocol, host, hostname, origin: own } = new URL(baseUrl);
  if (origin !== own) {
    yield 'other_address';
    return;
  }
  if (protocol !== 'https:' && !isLoopbackHost(hostname)) yield 'no_tls';
  if (seen.isProxied && !trustProxy) {
    yield 'proxy_untrusted';
    return;
  }
  if (trustProxy && !seen.isProxied) yield 'proxy_silent';
  if (seen.host !== host) yield 'host_changed';
  else if (`${seen.scheme}:` !== protocol) yield 'scheme_changed';
}
