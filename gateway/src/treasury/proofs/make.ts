import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  addressText,
  heldOf,
  owedOf,
  type ProvedAddress,
  type ProvedAsset,
  type SignedStatement,
  type Statement,
  statementFormat,
  statementText,
} from '../../../../web/proof/statement.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { installationKey, signByInstallation } from '../../kit/installation-key.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Assets } from '../../money/assets.ts';
import { smallNumber } from '../../money/small-number.ts';
import { RpcFault } from '../../rails/evm/rpc/rpc-fault.ts';
import { createAgreement } from '../../rails/evm/scan/blocks/agreement.ts';
import type { ChainWithEndpoints } from '../../rails/evm/scan/look-up.ts';
import { type PiConfig, piCodeOf } from '../../rails/pi/horizon/network.ts';
import { holdingsOf, ProofRefused } from './holdings.ts';
import { type Position, type ReadStamp, readPosition } from './position.ts';
import { signAddresses } from './sign-addresses.ts';
import { keepProof, type MadeProof } from './store.ts';
import { buildTree, saltOf } from './tree.ts';

export type ProofDeps = {
  db: Database;
  seal: Seal;
  assets: Assets;
  chains: readonly ChainWithEndpoints[];
  pi: PiConfig | null;
  /** Address of the installation, as statements name it. */
  baseUrl: string;
  readStamp: ReadStamp;
  now: Clock;
  log: Logger;
};

/** How often, and how long after each other, a position without money in flight is looked for. */
const tries = 6;
const againMs = 1_000;

/**
 * Makes a statement of live money and publishes it. A payout whose money has left is owed until it is booked: so a position
 * at which all that is owed is held is looked for a few times. The last one counts as it is. Nothing is kept where it fails.
 * Throws ProofRefused.
 */
export async function makeProof(deps: ProofDeps): Promise<SignedStatement> {
  for (let left = tries; ; left--) {
    const made = await attempt(deps);
    if (left <= 1 || isBacked(made.signed.statement)) {
      await keepProof(deps.db, made);
      return made.signed;
    }
    await sleep(againMs);
  }
}

const isBacked = (statement: Statement): boolean =>
  statement.assets.every((asset) => heldOf(statement, asset.asset) >= owedOf(asset));

async function attempt(deps: ProofDeps): Promise<MadeProof> {
  const { db, seal, now } = deps;
  const position = await readPosition(db, {
    ...{ readStamp: deps.readStamp, pi: deps.pi?.isTest ? null : deps.pi },
    chains: deps.chains.filter(({ chain }) => !chain.isTest),
  });
  const addresses = await addressesOf(deps, position);
  const seed = randomBytes(32);
  const at = now();
  const found = await assetsOf(deps, position, { addresses, seed });
  const statement: Statement = {
    format: statementFormat,
    id: newId(at),
    installation: deps.baseUrl,
    key: installationKey(seal),
    made_at: at.toISOString(),
    ledger: { entry: position.entry.toString(), stamp: position.stamp },
    chains: position.chains.map(({ snapshot: { chain, block } }) => ({
      chain_id: chain.id,
      name: chain.name,
      block: smallNumber(block.number),
      block_hash: block.hash,
    })),
    assets: found.map(({ proved }) => proved),
    addresses,
  };
  const signed = {
    statement,
    signature: signByInstallation(seal, statementText(statement)),
    addresses: await signAddresses(deps, addresses, (address) => addressText(statement, address)),
  };
  return { signed, seed, trees: found };
}

/** The addresses with balances of all networks. */
async function addressesOf({ now, log }: ProofDeps, { chains, pi }: Position): Promise<ProvedAddress[]> {
  const found: ProvedAddress[] = [];
  for (const { asked, snapshot, origins } of chains) {
    try {
      found.push(...(await holdingsOf(createAgreement(asked.endpoints, now, log), snapshot, origins)));
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      throw new ProofRefused(error.message);
    }
  }
  if (!pi) return found;
  const balances = [{ asset: piCodeOf(pi.config), units: pi.snapshot.held.toString() }];
  return [...found, { chain_id: null, address: pi.config.account, kind: 'wallet', balances }];
}

type ProvedTree = MadeProof['trees'][number] & { proved: ProvedAsset };

/** Each asset of which something is owed or held, with its tree. */
async function assetsOf(
  { assets }: ProofDeps,
  { owed, totals, chains, pi }: Position,
  { addresses, seed }: { addresses: readonly ProvedAddress[]; seed: Buffer },
): Promise<ProvedTree[]> {
  const onChains = chains.flatMap(({ snapshot }) =>
    snapshot.chain.tokens.map(({ asset, address }) => ({
      ...{ asset, chain_id: snapshot.chain.id, token: address },
      arriving: snapshot.arriving.get(asset) ?? 0n,
    })),
  );
  const onPi = pi && {
    ...{ asset: piCodeOf(pi.config), chain_id: null, token: null },
    arriving: pi.snapshot.unbooked > 0n ? pi.snapshot.unbooked : 0n,
  };
  const found: ProvedTree[] = [];
  for (const { asset, chain_id, token, arriving } of [...onChains, ...(onPi ? [onPi] : [])]) {
    const own = owed.filter((each) => each.asset === asset);
    const units = totals.find((each) => each.asset === asset)?.units ?? {};
    const sumOf = (kind: string, of: 'units' | 'held' = 'units'): bigint =>
      own.reduce((sum, each) => (each.kind === kind ? sum + each[of] : sum), 0n);
    const parts = {
      businesses: sumOf('business'),
      wallets: sumOf('user'),
      customers: units.payable ?? 0n,
      unsettled: units.suspense ?? 0n,
      arriving,
    };
    const isHeld = heldOf({ addresses: [...addresses] }, asset) > 0n;
    if (!isHeld && Object.values(parts).every((each) => each === 0n)) continue;
    const leaves = own.map(({ kind, owner, units: balance }) => {
      const account = `${kind}:${owner}`;
      return { asset, account, units: balance, salt: saltOf(seed, asset, account) };
    });
    const tree = await buildTree(seed, asset, leaves);
    found.push({
      ...{ asset, tree, leaves: own },
      proved: {
        ...{ asset, scale: assets.get(asset).scale, chain_id, token },
        ...{ root: tree.root.hash, sum: tree.root.sum.toString() },
        owed: mapUnits(parts),
        promised: (sumOf('business', 'held') + sumOf('user', 'held')).toString(),
      },
    });
  }
  return found;
}

function mapUnits(parts: Record<keyof ProvedAsset['owed'], bigint>): ProvedAsset['owed'] {
  const { businesses, wallets, customers, unsettled, arriving } = parts;
  return {
    businesses: businesses.toString(),
    wallets: wallets.toString(),
    customers: customers.toString(),
    unsettled: unsettled.toString(),
    arriving: arriving.toString(),
  };
}
