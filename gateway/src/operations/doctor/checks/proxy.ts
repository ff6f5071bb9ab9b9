import { isIP } from 'node:net';
import type { AddressAnswer } from './ask-address.ts';
import { claimedAddress } from './ask-address.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';
import { type Seen, streamPauseMs } from './questions.ts';

/** What the proxy in front tells the gateway of a client, and whether it lets streams through. */
export const checkProxy: Check = async ({ db, answers }) => {
  const answered = db ? await answers() : [];
  const findings = answered.flatMap(judge);
  return findings.length > 0 ? findings : [found('proxy', 'not_looked')];
};

/** The question came with a client address that is nobody's: whoever is in front must not pass it on as ours. */
function judge({ address, outcome }: AddressAnswer): Finding[] {
  if (outcome.kind !== 'ours') return [];
  const { seen, gapMs } = outcome;
  const faults: Finding[] = [];
  const add = (finding: Parameters<typeof found<'proxy'>>[1], why: string) =>
    faults.push(found('proxy', finding, `${address}: ${why}`));
  const client = `the gateway saw the client ${seen.client}`;
  if (seen.client === claimedAddress) add('claimed', 'a made-up X-Forwarded-For was believed');
  else if (seen.trusts_proxy && !hasClient(seen)) add('unread', client);
  else if (!seen.trusts_proxy && seen.forwarded !== claimedAddress)
    add('not_trusted', `X-Forwarded-For came as ${seen.forwarded ?? 'nothing'}`);
  const { host } = new URL(address);
  if (seen.host !== null && seen.host.toLowerCase() !== host) add('host', `Host came as ${seen.host}`);
  if (gapMs < streamPauseMs / 2) add('buffered', 'both halves of a stream came at once');
  return faults.length > 0 ? faults : [found('proxy', 'ok', `${address}: ${client}`)];
}

/** Whether the proxy named a client: an address, perhaps with a port. */
function hasClient({ forwarded, client }: Seen): boolean {
  if (forwarded === null) return false;
  const host = client.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  return isIP(host) !== 0;
}
