import type { Relay } from '../world/relay.ts';
import type { BreakableWorld } from '../world/start.ts';
import type { Break, Target } from '../world/world.ts';
import { type Kind, type Mend, randomOf } from './kind.ts';

const targets: readonly Target[] = [
  // Drawn more often than the others: clients and the database.
  ...(['gateway-1', 'gateway-2', 'database', 'gateway-1', 'gateway-2', 'database', 'receivers'] as const),
  ...(['endpoint-1', 'endpoint-2', 'horizon-1', 'horizon-2'] as const),
  ...(['wallets', 'mail', 'rates-1', 'rates-2', 'signer'] as const),
];
const mostBytes = 4_000;
const mostSlowMs = 600;

const linkOf = ({ target }: Pick<Break, 'target'>) => [`link of ${target}`];
const common = { targets, takes: linkOf };

export const linkKinds: Record<string, Kind> = {
  'cut off': {
    ...{ ...common, forMs: [200, 2_500], weight: 6 },
    begin: (world, broken) =>
      breakLink(world, broken, (relay) => {
        relay.cut();
        return () => relay.join();
      }),
  },
  refused: {
    ...{ ...common, forMs: [50, 1_500], weight: 4 },
    begin: (world, broken) => breakLink(world, broken, (relay) => faulty(relay, { kind: 'refuses' })),
  },
  'ends after bytes': {
    ...{ ...common, forMs: [200, 2_000], weight: 8 },
    begin(world, broken) {
      const random = randomOf(broken);
      const way = random.pick(['there', 'back'] as const);
      // Short ends are as frequent as long ones.
      const bytes = 1 + random.int(random.pick([200, 800, mostBytes]));
      return breakLink(world, broken, (relay) => faulty(relay, { kind: 'ends after', bytes, way }));
    },
  },
  'loses answers': {
    ...{ ...common, forMs: [200, 1_500], weight: 8 },
    begin(world, broken) {
      // Of a database the answer to a commit is lost.
      const to = broken.target === 'database' ? (request: Buffer) => request.includes('COMMIT') : () => true;
      return breakLink(world, broken, (relay) => faulty(relay, { kind: 'loses answers', to }));
    },
  },
  slow: {
    ...{ ...common, forMs: [300, 2_500], weight: 4 },
    begin(world, broken) {
      const ms = 20 + Math.floor(broken.share * mostSlowMs);
      return breakLink(world, broken, (relay) => faulty(relay, { kind: 'slow', ms }));
    },
  },
};

function faulty(relay: Relay, fault: NonNullable<Parameters<Relay['breaks']>[0]>): Mend {
  relay.breaks(fault);
  return () => relay.breaks(null);
}

async function breakLink(
  world: BreakableWorld,
  broken: Break,
  act: (relay: Relay) => Mend,
): Promise<Mend | null> {
  const relay = relayOf(world, broken);
  return relay ? act(relay) : null;
}

/** Undefined where this world has no such part. */
function relayOf(world: BreakableWorld, { target, share }: Break): Relay | undefined {
  const { gateways, chain, pi, around, receivers } = world;
  const relays: Partial<Record<Target, Relay | undefined>> = {
    'gateway-1': gateways[0]?.relay,
    'gateway-2': gateways[1]?.relay,
    // Each gateway has a link of its own.
    database: randomOf({ share }).pick(gateways).database,
    'endpoint-1': chain.endpoints[0]?.relay,
    'endpoint-2': chain.endpoints[1]?.relay,
    'horizon-1': pi.horizons[0]?.relay,
    'horizon-2': pi.horizons[1]?.relay,
    wallets: around.backend?.relay,
    mail: around.mail,
    'rates-1': around.rates[0],
    'rates-2': around.rates[1],
    signer: chain.signer,
    receivers: receivers.relay,
  };
  return relays[target];
}
