import type { Hex } from '../src/rails/evm/chains.ts';
import type { EndpointFault } from './chain-schedules.ts';
import { inventedLog, startRpcProxy } from './rpc-proxy.ts';

/** What an invented log is about: a transfer to this address in a block that there is. */
export type Lie = { token: Hex; to: Hex; units: bigint; block: { number: bigint; hash: Hex } };

export type BrittleEndpoint = Awaited<ReturnType<typeof startBrittle>>;

/** An endpoint of a chain that can be broken in the ways of a schedule, one after the other, until it is mended. */
export async function startBrittle(nodeUrl: string) {
  const { url, faults, mend } = await startRpcProxy(nodeUrl);
  let broken = false;
  const breaking: Record<EndpointFault, (lie: Lie) => object> = {
    dead: () => ({ dead: true }),
    garbage: () => ({ garbage: 'truncated' }),
    'rate limited': () => ({ rateLimited: true }),
    lagging: () => ({ lagBlocks: 2 }),
    'empty logs': () => ({ hides: true }),
    'invented log': (lie) => ({ invents: [inventedLog({ from: lie.token, ...lie })] }),
    'one block at once': () => ({ maxBlocks: 1 }),
    'no batches': () => ({ refusesBatches: true }),
    'drops replies': () => ({ dropEvery: 3 }),
  };
  return {
    url,
    breaks(fault: EndpointFault, lie: Lie): void {
      broken = true;
      Object.assign(faults, breaking[fault](lie));
    },
    mend(): void {
      broken = false;
      mend();
    },
    isBroken: () => broken,
    isLying: () => faults.hides !== false || faults.invents.length > 0,
  };
}
