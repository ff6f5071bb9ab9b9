import type { Clock } from '../../../kit/clock.ts';
import { createSecretHider, endpointName } from '../../../rails/endpoint-address.ts';
import type { ChainConfig } from '../../../rails/evm/config/chains.ts';
import {
  type EndpointTrial,
  type TrialFault,
  type TrialFaultCode,
  type TriedChain,
  tryEndpoint,
} from '../../../rails/evm/rpc/try-endpoint.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

type NamedChain = TriedChain & Pick<ChainConfig, 'name' | 'rpcUrls'>;

const limitMs = 3_000;

/** With these an endpoint still serves, if there is a better one beside it. */
const weak: ReadonlySet<TrialFaultCode> = new Set([
  ...(['rate_limited', 'behind', 'head_old', 'head_in_future', 'short_history', 'slow'] as const),
]);

/** Each endpoint of each chain: its id, its newest block, what it says is final, its history and its speed. */
export const checkChain: Check = async ({ config: { chains }, now }) => {
  if (chains.length === 0) return [found('chain', 'none')];
  return (await Promise.all(chains.map((chain) => tryChain(chain, now)))).flat();
};

async function tryChain(chain: NamedChain, now: Clock): Promise<Finding[]> {
  const tried = chain.rpcUrls.map(async (url, at) => {
    const trial = await tryEndpoint({ url, chain, now, reach: 'any', timeoutMs: limitMs });
    return judge(`${chain.name} ${endpointName(url, at)}`, trial, createSecretHider(url));
  });
  const findings = (await Promise.all(tried)).flat();
  return chain.rpcUrls.length === 1 ? [...findings, found('chain', 'alone', chain.name)] : findings;
}

/** One finding for each fault, with what to do about it in the trial's own words. */
function judge(name: string, trial: EndpointTrial, hide: (text: string) => string): Finding[] {
  const { head, finality, archiveBlocks, medianMs, faults } = trial;
  if (faults.length === 0) {
    const history = archiveBlocks === null ? 'no history' : `history of ${archiveBlocks} blocks`;
    return [found('chain', 'ok', `${name}: block ${head}, ${finality}, ${history}, ${medianMs} ms`)];
  }
  return faults.map((fault) => judgeFault(name, fault, hide));
}

function judgeFault(
  name: string,
  { code, message, todo }: TrialFault,
  hide: (text: string) => string,
): Finding {
  const finding = found('chain', weak.has(code) ? 'weak' : 'faulty', `${name}: ${hide(message)}`);
  return { ...finding, todo };
}
