import { decodeEventLog, parseAbi } from 'viem';
import forwarders from '../../gateway/src/rails/evm/addresses/forwarder-factory.json' with { type: 'json' };
import { deployer, factoryAddress } from '../../gateway/src/rails/evm/addresses/forwarders.ts';
import artifact from '../../gateway/src/rails/evm/addresses/splitter-factory.json' with { type: 'json' };
import {
  type Split,
  splitterAddress,
  splitterFactoryAddress,
  splitterFactoryBytecode,
} from '../../gateway/src/rails/evm/addresses/splitters.ts';
import type { Hex } from '../../gateway/src/rails/evm/config/chains.ts';
import { accounts, type TestChain } from '../../gateway/test/chain/chain.ts';
import { callers, callOf, type Outcome } from './fixtures.ts';

export type SplitterEvent = { name: string; args: Record<string, unknown> };

const splitterAbi = parseAbi(['function pay(address token, address to, uint256 amount)']);

/** What only the factory may ask of a splitter. */
export const payCall = (token: Hex, to: Hex, units: bigint): Hex =>
  callOf(splitterAbi, 'pay', token, to, units);

/** The call that deploys the factory of splitters, by the keyless deployer. */
export const splitterDeployment: Hex = `0x${'0'.repeat(64)}${splitterFactoryBytecode.slice(2)}`;

export const wordOf = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;

export const releaseCall = (split: Split, tokens: readonly Hex[]): Hex =>
  callOf(artifact.abi, 'release', split, tokens);

export const releaseOneCall = (split: Split, token: Hex): Hex =>
  callOf(artifact.abi, 'releaseOne', split, token);

/** Payments are 32-byte words here. */
export const settleCall = (split: Split, tokens: readonly Hex[], payments: readonly Hex[]): Hex =>
  callOf(artifact.abi, 'settle', split, tokens, payments);

/** A sweep of the deposit addresses of these words, which are payments or splitters. */
export const sweepWordsCall = (token: Hex, destination: Hex, words: readonly Hex[]): Hex =>
  callOf(forwarders.abi, 'sweep', token, destination, words);

/** The parts of a splitter's balance as they must be. */
export function partsOf(units: bigint, { basisPoints }: Split): { merchant: bigint; host: bigint } {
  const host = (units * BigInt(basisPoints)) / 10_000n;
  return { merchant: units - host, host };
}

/** Deploys the factory of splitters, and resolves with ways to call it, by anybody. */
export async function splitters(chain: TestChain) {
  const { send } = callers(chain);
  // By the deployer: a chain that is set back must not lose it.
  const { succeeded } = await send(deployer, splitterDeployment, { from: accounts.deployer.address });
  if (!succeeded) throw new Error('the factory of splitters was not deployed');
  type Sent = Parameters<typeof send>[2];
  return {
    release: (split: Split, tokens: readonly Hex[], sent?: Sent) =>
      send(splitterFactoryAddress, releaseCall(split, tokens), sent),
    releaseOne: (split: Split, token: Hex, sent?: Sent) =>
      send(splitterFactoryAddress, releaseOneCall(split, token), sent),
    settle: (split: Split, tokens: readonly Hex[], payments: readonly Hex[], sent?: Sent) =>
      send(splitterFactoryAddress, settleCall(split, tokens, payments), sent),
    /** Where a part waits that its side could not be paid. */
    waitingAddress: async (side: Hex, split: Split): Promise<Hex> => {
      const call = { address: factoryAddress, abi: forwarders.abi, functionName: 'addressOf' };
      const args = [side, wordOf(splitterAddress(split))];
      return ((await chain.client.readContract({ ...call, args })) as Hex).toLowerCase() as Hex;
    },
  };
}

/** The events of the factory of splitters, in order. */
export function eventsOf({ logs }: Pick<Outcome, 'logs'>): SplitterEvent[] {
  return logs
    .filter(({ address }) => address.toLowerCase() === splitterFactoryAddress)
    .map(({ topics, data }) => {
      const { eventName, args } = decodeEventLog({ abi: artifact.abi, topics, data } as never) as {
        eventName: string;
        args: Record<string, unknown>;
      };
      return { name: eventName, args };
    });
}

export const namesOf = (outcome: Pick<Outcome, 'logs'>): string[] =>
  eventsOf(outcome).map(({ name }) => name);
