import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import { isLocalGateway } from '../../identity/accounts/second-factor.ts';
import type { Console } from '../../identity/console/console.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Clock } from '../../kit/clock.ts';
import { fieldReader, invalid } from '../../kit/http/fields.ts';
import { isOpenPort } from '../../kit/net/ports.ts';
import { tryEndpoint } from '../../rails/evm/rpc/try-endpoint.ts';
import { EndpointTried } from './answers.ts';

type EndpointRouteDeps = {
  guards: Guards;
  config: Pick<Config, 'chains' | 'host' | 'baseUrl' | 'trustProxy'>;
  now: Clock;
};

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const readTrial = fieldReader(
  Type.Object({
    /** Left out: whatever chain it serves. */
    chain: Type.Optional(count),
    /** The place in the configuration; left out: `url`. */
    at: Type.Optional(count),
    url: Type.Optional(Type.String({ maxLength: 1000, format: 'uri' })),
  }),
);

/**
 * Tries an endpoint of the configuration, or one that an operator thinks of. The latter is called as webhooks are: only on the
 * public internet, and on this machine where nobody else reaches the gateway.
 */
export function endpointRoutes(dashboard: Console, { guards, config, now }: EndpointRouteDeps): void {
  const isLocal = isLocalGateway(config) && !config.trustProxy;
  dashboard.act('POST', 'operator', '/setup/try-endpoint', { answer: EndpointTried }, async (call) => {
    const { chain: id, at, url: given } = readTrial(call.body);
    await (await guards.bySession(call.session, 'setup')).succeeded();
    const chain = config.chains.find((each) => each.id === id) ?? null;
    const known = at === undefined ? undefined : chain?.rpcUrls[at];
    const url = known ?? given;
    if (url === undefined) throw invalid('url', 'is required');
    if (known === undefined && !isOpenPort(new URL(url)) && !isLocal)
      throw invalid('url', 'must have port 80, 443 or one above 1023');
    const trial = await tryEndpoint({ url, chain, now, reach: reachOf(known !== undefined, isLocal) });
    const data = {
      ...{ host: trial.host, chain_id: trial.chainId, head: trial.head, faults: trial.faults },
      ...{ head_age_seconds: trial.headAgeSeconds, finality: trial.finality },
      ...{ archive_blocks: trial.archiveBlocks, median_ms: trial.medianMs },
    };
    return { message: 'What the endpoint shows', data };
  });
}

function reachOf(isKnown: boolean, isLocal: boolean): 'any' | 'loopback' | 'public' {
  if (isKnown) return 'any';
  return isLocal ? 'loopback' : 'public';
}
