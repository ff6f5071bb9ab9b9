import { domainToASCII } from 'node:url';
import type { HttpSender } from '../../kit/net/safe-fetch.ts';

/** Looks up the TXT records of a name; each record comes in the pieces that it was sent in. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

export type DomainCheck = (domain: string, proof: string) => Promise<{ found: true } | { why: string }>;

const domainPattern = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/;

/** A domain's name as in DNS; null for an IP address, a single word or a URL. */
export function domainOf(text: string): string | null {
  // domainToASCII would drop anything besides the name without an error.
  if (/[/?#@:\\\s]/.test(text.trim())) return null;
  const name = domainToASCII(text.trim().replace(/\.$/, ''));
  return domainPattern.test(name) ? name : null;
}

/**
 * Looks for the proof that the integration's merchant controls its domain: in a TXT record of `_florin.{domain}`, or in a
 * line of the file `/.well-known/florin.txt`.
 */
export function createDomainCheck(resolveTxt: ResolveTxt, sender: Pick<HttpSender, 'send'>): DomainCheck {
  return async (domain, proof) => {
    const [record, file] = await Promise.all([
      inRecord(resolveTxt, domain, proof),
      inFile(sender, domain, proof),
    ]);
    return record === null || file === null ? { found: true } : { why: `${record}, and ${file}` };
  };
}

/** Looks for a proof in the TXT records of a domain's `_florin` name: null when one has it, otherwise what was found instead. */
export async function inRecord(
  resolveTxt: ResolveTxt,
  domain: string,
  proof: string,
): Promise<string | null> {
  const name = `_florin.${domain}`;
  try {
    const records = (await resolveTxt(name)).map((pieces) => pieces.join('').trim());
    return records.includes(proof) ? null : `the TXT record of ${name} says something else`;
  } catch {
    return `${name} has no TXT record that we can see`;
  }
}

async function inFile(
  sender: Pick<HttpSender, 'send'>,
  domain: string,
  proof: string,
): Promise<string | null> {
  const url = new URL(`https://${domain}/.well-known/florin.txt`);
  const headers = { accept: 'text/plain', 'user-agent': 'Florin' };
  const answer = await sender.send({ method: 'GET', url, headers, body: Buffer.alloc(0), reach: 'public' });
  if ('error' in answer) return `${url} could not be read`;
  if (answer.statusCode !== 200) return `${url} answers ${answer.statusCode}`;
  const lines = answer.body.toString('utf8').split(/\r?\n/);
  return lines.some((line) => line.trim() === proof) ? null : `${url} says something else`;
}
