import { Agent } from '../../../kit/net/undici.ts';
import { endpointName } from '../../../rails/endpoint-address.ts';
import { headAt } from '../../../rails/pi/horizon/fields.ts';
import { createHorizon, HorizonFault } from '../../../rails/pi/horizon/horizon.ts';
import { type PiConfig, piCodeOf, pisOf } from '../../../rails/pi/horizon/network.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

const limitMs = 7_000;
/** Ledgers close about every five seconds. */
const oldSeconds = 60;

/** Each Horizon: its network, and how old its newest ledger is. */
export const checkPi: Check = async ({ config, now }) => {
  const networks = pisOf(config);
  if (networks.length === 0) return [found('pi', 'none')];
  const agent = new Agent({ connections: 2 });
  try {
    return (await Promise.all(networks.map((pi) => tryAll(pi, agent, now)))).flat();
  } finally {
    await agent.destroy();
  }
};

async function tryAll(pi: PiConfig, agent: Agent, now: () => Date): Promise<Finding[]> {
  const terms = { agent, timeoutMs: limitMs, submitMs: limitMs };
  const tried = pi.horizonUrls.map(async (url, at) => {
    const name = `${piCodeOf(pi)} ${endpointName(url, at)}`;
    try {
      const { ledger, closedAt } = await headAt(createHorizon({ ...terms, name, url }), pi.passphrase);
      const age = Math.round((now().getTime() - closedAt.getTime()) / 1000);
      return found('pi', age > oldSeconds ? 'behind' : 'ok', `${name}: ledger ${ledger}, ${age} s old`);
    } catch (error) {
      if (!(error instanceof HorizonFault)) throw error;
      return found(
        'pi',
        'faulty',
        error.message.startsWith(name) ? error.message : `${name}: ${error.message}`,
      );
    }
  });
  return await Promise.all(tried);
}
