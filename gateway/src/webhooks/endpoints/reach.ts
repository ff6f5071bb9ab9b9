import { isLocalGateway } from '../../identity/accounts/second-factor.ts';
import type { Mode } from '../../identity/integration.ts';
import { invalid } from '../../kit/http/fields.ts';
import { type AddressKind, addressKind } from '../../kit/net/addresses.ts';
import { isOpenPort } from '../../kit/net/ports.ts';
import type { Reach } from '../../kit/net/safe-fetch.ts';

/** What the installation says about where webhooks may go. */
export type ReachTerms = {
  /** Every endpoint may lead into private networks (WEBHOOK_ALLOW_PRIVATE). */
  allowPrivate: boolean;
  /** Only this machine reaches the gateway: whoever uses it reaches the machine's other servers too. */
  isLocal: boolean;
};

type Installation = { host: string; baseUrl: string; trustProxy: boolean; webhookAllowPrivate: boolean };

/** Behind a proxy, others than this machine may reach a gateway that listens on it alone. */
export function reachTerms(config: Installation): ReachTerms {
  return {
    allowPrivate: config.webhookAllowPrivate,
    isLocal: isLocalGateway(config) && !config.trustProxy,
  };
}

type Owned = { integration: { allowPrivateWebhooks: boolean }; mode: Mode };

/**
 * Which networks webhooks may reach: all where the operator allows it; also this machine in test mode of a gateway that
 * only this machine reaches, and for the demo's own shop.
 */
export function reachOf({ allowPrivate, isLocal }: ReachTerms, { integration, mode }: Owned): Reach {
  if (allowPrivate) return 'any';
  return integration.allowPrivateWebhooks || (isLocal && mode === 'test') ? 'loopback' : 'public';
}

/**
 * Refuses a webhook address that is not http or https, carries credentials, or names a machine out of reach or a port
 * of another service. Live mode needs https, except on this machine where that is in reach. The addresses that a name
 * resolves to are checked at every connect.
 */
export function assertTarget(text: string, mode: Mode, reach: Reach): void {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalid('url', 'must be an absolute http or https URL');
  }
  if (url.username !== '' || url.password !== '') throw invalid('url', 'must not carry credentials');
  if (!isOpenPort(url)) throw invalid('url', 'must have port 80, 443 or one above 1023');
  const kind = kindOfHost(url.hostname);
  if (reach !== 'any' && kind !== 'public' && kind !== reach) {
    const address = forwardAddress(url);
    throw invalid(
      'url',
      `must lead to the public internet. For a server on this computer run \`npx florin listen --forward-to ${address}\``,
    );
  }
  if (mode === 'live' && url.protocol !== 'https:' && kind !== 'loopback') {
    throw invalid('url', 'must begin with https:// in live mode');
  }
}

/** An address as `florin listen` reads it: one word for a shell, without the `http://` that it adds itself. */
function forwardAddress({ protocol, origin, host, pathname, search }: URL): string {
  const address = `${protocol === 'https:' ? origin : host}${pathname === '/' ? '' : pathname}${search}`;
  if (/^[\w.:/%-]+$/.test(address)) return address;
  return `'${address.replaceAll("'", '%27').replaceAll('`', '%60')}'`;
}

/** Names that no public server answers to: without a dot, or below a domain that is kept for private networks. */
const privateName = /^[^.]*$|\.(?:internal|local|home\.arpa)$/;

function kindOfHost(hostname: string): AddressKind {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  return addressKind(host) ?? (privateName.test(host) ? 'private' : 'public');
}
