import { encodeFunctionData, parseEventLogs } from 'viem';
import type { Hex } from '../gateway/src/rails/evm/chains.ts';
import artifact from '../gateway/src/rails/evm/forwarder-factory.json' with { type: 'json' };
import { factoryAddress, paymentWord } from '../gateway/src/rails/evm/forwarders.ts';
import { accounts, type TestChain } from '../gateway/test/chain.ts';
import type { Compiled } from '../scripts/contracts.ts';

/** Stands for the native coin where a token's address does. */
export const nativeCoin: Hex = `0x${'0'.repeat(40)}`;

export const stranger = accounts.stranger.address;

type Sent = { from?: Hex; value?: bigint; gas?: bigint };

/** What a call did: whether it stood, what it cost, and the payments that it could not move, in order. */
export type Outcome = { succeeded: boolean; gasUsed: bigint; failed: string[] };

/** The call of a function, as a transaction carries it. */
export function callOf(abi: readonly unknown[], functionName: string, ...args: unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args } as never);
}

export const sweepCall = (token: Hex, destination: Hex, payments: readonly string[]): Hex =>
  callOf(artifact.abi, 'sweep', token, destination, payments.map(paymentWord));

export const sweepOneCall = (token: Hex, destination: Hex, payment: string): Hex =>
  callOf(artifact.abi, 'sweepOne', token, destination, paymentWord(payment));

/** Ways to call the factory and whatever else stands on a chain that makes a block for each transaction. */
export function callers({ client, deploy }: TestChain) {
  /** From the stranger, unless it says otherwise: nobody needs to be anybody to sweep. */
  async function send(
    to: Hex,
    data: Hex,
    { from = stranger, value = 0n, gas = 12_000_000n }: Sent = {},
  ): Promise<Outcome> {
    // The chain signs for its rich accounts, in one call instead of five.
    const hash = await client.request({
      method: 'eth_sendTransaction',
      params: [{ from, to, data, value: `0x${value.toString(16)}`, gas: `0x${gas.toString(16)}` }],
    });
    const { status, gasUsed, logs } = await client.getTransactionReceipt({ hash });
    const failures = parseEventLogs({
      abi: artifact.abi as never,
      eventName: 'SweepFailed',
      logs,
    }) as unknown as {
      args: { payment: Hex };
    }[];
    return {
      succeeded: status === 'success',
      gasUsed,
      failed: failures.map(({ args }) => uuidOf(args.payment)),
    };
  }
  const balance = (owner: Hex): Promise<bigint> => client.getBalance({ address: owner });
  return {
    send,
    balance,
    /** Sends the native coin from the payer. */
    give: async (to: Hex, value: bigint) => {
      const { succeeded } = await send(to, '0x', { from: accounts.payer.address, value });
      if (!succeeded) throw new Error('the native coin was refused');
    },
    sweep: (token: Hex, destination: Hex, payments: readonly string[], sent?: Sent) =>
      send(factoryAddress, sweepCall(token, destination, payments), sent),
    sweepOne: (token: Hex, destination: Hex, payment: string, sent?: Sent) =>
      send(factoryAddress, sweepOneCall(token, destination, payment), sent),
    isDeployed: async (address: Hex) => (await client.getCode({ address })) !== undefined,
    /** Deploys a contract without arguments, and resolves with ways to call it. */
    contract: async ({ abi, bytecode }: Compiled) => {
      const address = await deploy(abi, bytecode);
      return {
        address,
        call: (functionName: string, ...args: unknown[]) => send(address, callOf(abi, functionName, ...args)),
      };
    },
  };
}

/** An address that nobody has used. */
export function freshAddress(): Hex {
  return `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
}

const uuidOf = (payment: Hex): string =>
  payment.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
