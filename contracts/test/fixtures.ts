import { encodeFunctionData, numberToHex, parseAbi, toEventHash } from 'viem';
import { newId } from '../../gateway/src/kit/ids.ts';
import artifact from '../../gateway/src/rails/evm/addresses/forwarder-factory.json' with { type: 'json' };
import {
  factoryAddress,
  forwarderAddress,
  ownerWord,
} from '../../gateway/src/rails/evm/addresses/forwarders.ts';
import type { Hex } from '../../gateway/src/rails/evm/config/chains.ts';
import { accounts, type TestChain, type TestToken } from '../../gateway/test/chain/chain.ts';
import type { Compiled } from '../../scripts/contracts.ts';

/** Stands for the native coin where a token's address does. */
export const nativeCoin: Hex = `0x${'0'.repeat(40)}`;

export const stranger = accounts.stranger.address;

const sweepFailed = toEventHash('SweepFailed(bytes32,address,address)');

const payAbi = parseAbi(['function transferToMany(address[] to, uint256[] values)']);

type Log = { address: Hex; topics: Hex[]; data: Hex };
type Receipt = { status: Hex; gasUsed: Hex; logs: Log[] };
type Sent = { from?: Hex; value?: bigint; gas?: bigint };

/** What a call did: whether it stood, what it cost, the payments that it could not move, in order, and its events. */
export type Outcome = { succeeded: boolean; gasUsed: bigint; failed: string[]; logs: Log[] };

/** The call of a function, as a transaction carries it. */
export function callOf(abi: readonly unknown[], functionName: string, ...args: unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args } as never);
}

export const sweepCall = (token: Hex, destination: Hex, payments: readonly string[]): Hex =>
  callOf(artifact.abi, 'sweep', token, destination, payments.map(ownerWord));

export const sweepOneCall = (token: Hex, destination: Hex, payment: string): Hex =>
  callOf(artifact.abi, 'sweepOne', token, destination, ownerWord(payment));

const forwarderAbi = parseAbi(['function flush(address token, address destination, uint256 amount)']);

/** What only odd tokens have. */
export const oddAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function pause(bool isPaused)',
  'function refuseWith(bytes data)',
  'function accept()',
  'function bar(address owner, bool barred)',
  'function burnFor(address owner, bool isEndlessAnswer)',
  'function callBack(address target, bytes data)',
]);

/** What only the factory may ask of a deposit address. */
export const flushCall = (token: Hex, destination: Hex, units: bigint): Hex =>
  callOf(forwarderAbi, 'flush', token, destination, units);

/** Ways to call the factory and whatever else stands on a chain that makes a block for each transaction. */
export function callers({ client, deploy }: TestChain) {
  /** From the stranger, unless it says otherwise: nobody needs to be anybody to sweep. */
  async function send(
    to: Hex,
    data: Hex,
    { from = stranger, value = 0n, gas = 12_000_000n }: Sent = {},
  ): Promise<Outcome> {
    // The chain signs for its rich accounts, and answers once the transaction is mined.
    const params = [{ from, to, data, value: numberToHex(value), gas: numberToHex(gas) }];
    const receipt: Receipt = await client.request({ method: 'eth_sendTransactionSync', params } as never);
    const failures = receipt.logs.filter(({ topics }) => topics[0] === sweepFailed);
    return {
      succeeded: receipt.status === '0x1',
      gasUsed: BigInt(receipt.gasUsed),
      failed: failures.map(({ topics }) => uuidOf(topics[1]!)),
      logs: receipt.logs,
    };
  }
  const balance = (owner: Hex): Promise<bigint> => client.getBalance({ address: owner });
  return {
    send,
    balance,
    /** Pays so many units of a token to each address, in one transaction. */
    pay: async (token: TestToken, addresses: readonly Hex[], units: bigint) => {
      const call = [addresses, addresses.map(() => units)];
      const data = callOf(payAbi, 'transferToMany', ...call);
      const { succeeded } = await send(token.address, data, { from: accounts.payer.address });
      if (!succeeded) throw new Error('the token was not paid');
    },
    /** Sends the native coin from the payer; the gas that it took. */
    give: async (to: Hex, value: bigint) => {
      const { succeeded, gasUsed } = await send(to, '0x', { from: accounts.payer.address, value });
      if (!succeeded) throw new Error('the native coin was refused');
      return gasUsed;
    },
    sweep: (token: Hex, destination: Hex, payments: readonly string[], sent?: Sent) =>
      send(factoryAddress, sweepCall(token, destination, payments), sent),
    sweepOne: (token: Hex, destination: Hex, payment: string, sent?: Sent) =>
      send(factoryAddress, sweepOneCall(token, destination, payment), sent),
    /** Where the code of all deposit addresses is. */
    implementation: async () => {
      const call = { address: factoryAddress, abi: artifact.abi, functionName: 'implementation' };
      return (await client.readContract(call)) as Hex;
    },
    isDeployed: async (address: Hex) => (await client.getCode({ address })) !== undefined,
    /** Deploys a contract without arguments, and resolves with ways to call it. */
    contract: async ({ abi, bytecode }: Pick<Compiled, 'abi' | 'bytecode'>) => {
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

/** So many payments, with the address of each under a destination that is new. */
export function openPayments(count: number, destination = freshAddress()) {
  const payments = Array.from({ length: count }, () => newId() as string);
  return {
    destination,
    payments,
    addresses: payments.map((payment) => forwarderAddress(destination, payment)),
  };
}
