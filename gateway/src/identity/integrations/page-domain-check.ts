import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { inRecord, type ResolveTxt } from './domain.ts';

/** Looks names up in DNS; each throws where there is no such record. */
export type Resolve = {
  txt: ResolveTxt;
  cname(name: string): Promise<string[]>;
  /** Both A and AAAA; those that there are. */
  addresses(name: string): Promise<string[]>;
};

/** Whether the proof of a page's domain is there, and whether the domain leads to this installation; null: it is and it does. */
export type PageDomainCheck = (domain: string, proof: string) => Promise<string | null>;

/** Looks names up with the DNS servers of this machine, and gives up soon on one that does not answer. */
export function createResolve(): Resolve {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  return {
    txt: (name) => resolver.resolveTxt(name),
    cname: (name) => resolver.resolveCname(name),
    async addresses(name) {
      const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    },
  };
}

/**
 * Checks a domain for the page of an integration. A TXT record proves that whoever manages its names means this integration;
 * a CNAME to the installation, or addresses that are all the installation's, that browsers come here.
 */
export function createPageDomainCheck(payUrl: string, resolve: Resolve): PageDomainCheck {
  const target = targetOf(payUrl);
  return async (domain, proof) => {
    const [proved, leads] = await Promise.all([
      inRecord(resolve.txt, domain, proof),
      leadsHere(resolve, domain, target),
    ]);
    return [proved, leads].filter((why) => why !== null).join(', and ') || null;
  };
}

/** The name or address to which the domain of a page has to lead. */
export function targetOf(payUrl: string): string {
  return new URL(payUrl).hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Null when it does, otherwise what was found instead. */
async function leadsHere(resolve: Resolve, domain: string, target: string): Promise<string | null> {
  const names = await resolve.cname(domain).catch((): string[] => []);
  const isTarget = (name: string) => name.replace(/\.$/, '').toLowerCase() === target;
  if (names.some(isTarget)) return null;
  const [found, ours] = await Promise.all([
    resolve.addresses(domain).catch((): string[] => []),
    isIP(target) ? [target] : resolve.addresses(target).catch((): string[] => []),
  ]);
  if (found.length === 0) return `${domain} leads nowhere yet`;
  // One address elsewhere would take some of the customers there.
  const others = found.filter((address) => !ours.includes(address));
  return others.length === 0 ? null : `${domain} leads to ${others.join(', ')}, not to ${target}`;
}
