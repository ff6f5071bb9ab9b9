import type { EndpointFault } from '../../../gateway/test/chain/endpoint.ts';
import type { Fault } from '../../../gateway/test/horizon/server/faults.ts';
import type { Fault as BackendFault } from '../../../gateway/test/remote-wallets/remote-wallets-server.ts';
import type { BreakableWorld } from '../world/start.ts';
import type { Target } from '../world/world.ts';
import { type Kind, randomOf } from './kind.ts';

const endpoints: readonly Target[] = ['endpoint-1', 'endpoint-2'];
const horizons: readonly Target[] = ['horizon-1', 'horizon-2'];

/** A payment may be open for an hour. */
const mostPassedMs = 90 * 60_000;

const failures: readonly EndpointFault[] = [
  ...(['dead', 'garbage', 'rate limited', 'lagging', 'stands still', 'late logs'] as const),
  ...(['no bloom', 'one block at once', 'no batches', 'drops replies', 'unpadded logs'] as const),
];
const lies: readonly EndpointFault[] = [
  ...(['empty logs', 'missing logs', 'truncated logs', 'invented log', 'made-up head'] as const),
  ...(['made-up final head', 'no balance', 'empty balance', 'less balance', 'more balance'] as const),
  ...(['counts its pool', 'made-up failure'] as const),
];
const horizonFaults: readonly Fault[] = [
  ...[{ kind: 'timeout' }, { kind: 'timeout', applies: true }, { kind: 'rate_limited' }, { kind: 'reset' }],
  ...[
    { kind: 'lost' },
    { kind: 'slow', ms: 400 },
    { kind: 'truncated' },
    { kind: 'html' },
    { kind: 'error' },
  ],
  ...[{ kind: 'empty' }, { kind: 'stale', ledgers: 3 }],
] as readonly Fault[];
/** In turn; every other one is a redirect, which looks like a success most. */
const refusals = [302, 500, 302, 503, 302, 404, 302, 429, 302, 'none'] as const;
const backendFaults: readonly BackendFault[] = [
  ...(['dropped', 'silent', 'error', 'overtaken'] as const),
  ...(['done, then dropped', 'done, then silent', 'done, then error', 'done, then garbage'] as const),
];

/** All that a lie could be believed by: the truth is known where one lies and the other one is well. */
const bothEndpoints = () => endpoints.flatMap((target) => [`link of ${target}`, `answers of ${target}`]);
const answersOf = ({ target }: { target: Target }) => [`answers of ${target}`];

export const networkKinds: Record<string, Kind> = {
  fails: {
    ...{ targets: endpoints, forMs: [300, 3_000], weight: 5, takes: answersOf },
    begin: (world, { target, share }) =>
      breakEndpoint(world, target, randomOf({ share }).pick(failures), share),
  },
  lies: {
    ...{ targets: endpoints, forMs: [500, 3_000], weight: 6, takes: bothEndpoints },
    begin: (world, { target, share }) => breakEndpoint(world, target, randomOf({ share }).pick(lies), share),
  },
  reorg: {
    ...{ targets: ['chain'], forMs: [50, 100], weight: 8, takes: () => ['process of chain'] },
    async begin({ chain, log }, { share }) {
      const random = randomOf({ share });
      const depth = 1 + random.int(chain.finalDepth - 1);
      const fates = Array.from({ length: 7 }, () =>
        random.pick(['kept', 'kept', 'moved', 'dropped'] as const),
      );
      log.note(
        'breaks',
        `the last ${depth} blocks are replaced; their transactions in turn: ${fates.join(', ')}`,
      );
      await chain.alone(() => chain.driver.reorg(depth, fates));
      return () => {};
    },
  },
  'time passes': {
    ...{ targets: ['chain'], forMs: [50, 100], weight: 3 },
    async begin({ clock }, { share }) {
      await clock.pass(Math.round(share * mostPassedMs));
      return () => {};
    },
  },
  'answers badly': {
    ...{ targets: horizons, forMs: [300, 2_500], weight: 5 },
    async begin({ pi }, { target, share }) {
      const fault = randomOf({ share }).pick(horizonFaults);
      return pi.horizons[horizons.indexOf(target)]?.faults.add({ ...fault, times: Infinity }) ?? null;
    },
  },
  'does it badly': {
    ...{ targets: ['wallets'], forMs: [300, 2_500], weight: 12 },
    fits: ({ wallets }) => wallets === 'backend',
    async begin({ around }, { share }) {
      const server = around.backend?.server;
      if (!server) return null;
      const random = randomOf({ share });
      server.faultOf = () => (random.chance(0.6) ? random.pick(backendFaults) : null);
      return () => {
        server.faultOf = () => null;
      };
    },
  },
  'refuse mails': {
    ...{ targets: ['mail'], forMs: [300, 2_000], weight: 2 },
    async begin({ around }, { share }) {
      around.mailbox.refuse(Infinity, share < 0.5 ? 451 : 421);
      return () => around.mailbox.refuse(0, 451);
    },
  },
  'refuse webhooks': {
    ...{ targets: ['receivers'], forMs: [300, 2_500], weight: 6 },
    async begin({ receivers }, { share }) {
      let turn = Math.floor(share * refusals.length);
      receivers.answer(() => refusals[turn++ % refusals.length] ?? 500);
      return () => receivers.answer(() => 200);
    },
  },
};

async function breakEndpoint(world: BreakableWorld, target: Target, fault: EndpointFault, share: number) {
  const { chain, log } = world;
  const endpoint = chain.endpoints[endpoints.indexOf(target)];
  const [token] = Object.values(chain.tokens);
  const { base, head, hashes } = chain.driver.view();
  const hash = hashes[head - base];
  if (!endpoint || !token || !hash) return null;
  log.note('breaks', `${target}: ${fault}`);
  endpoint.breaks(fault, {
    ...{ token: token.address, to: chain.treasury, units: 10n ** 19n },
    ...{ block: { number: BigInt(head), hash }, seed: Math.floor(share * 2 ** 31) },
  });
  return endpoint.mend;
}
