import { keccak256 } from 'viem';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { gasKeyFile } from '../../../../test/chain/sweep-fixtures.ts';
import { deployer, factoryAddress, factoryCodeHash } from '../addresses/forwarders.ts';
import { vaultCodeHash } from '../addresses/vault.ts';
import { createEndpoints, type Endpoints } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { readGasKey } from '../send/key.ts';
import { deployContract, factoryContract, vaultContract } from './deploy.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18 }, withFactory: false });
const { client } = chain;
const signer = '0x3fab184622dc19b6109349b94811493bf2a45362';
const { file, address } = await gasKeyFile();
const key = await readGasKey(file);
const endpoints = createEndpoints({ chain: chain.config() });
afterAll(() => endpoints.close());

const deploy = (changes: Partial<Parameters<typeof deployContract>[0]> = {}, contract = factoryContract) =>
  deployContract(
    { chain: chain.config(), endpoints, key, pollMs: 20, patienceMs: 2_000, ...changes },
    contract,
  );
const codeAt = (at: `0x${string}`) => client.getCode({ address: at });

let clean = await client.snapshot();
beforeEach(async () => {
  await client.revert({ id: clean });
  clean = await client.snapshot();
  await client.setBalance({ address, value: 10n ** 18n });
});

test('the factory is deployed once, at the address that it has on every chain, and what it cost is printed', async () => {
  const before = await client.getBalance({ address });
  const deployed = (await deploy())!;
  expect(keccak256((await codeAt(factoryAddress))!)).toBe(factoryCodeHash);
  expect(before - (await client.getBalance({ address }))).toBe(deployed.cost);
  expect((await client.getTransactionReceipt({ hash: deployed.hash })).status).toBe('success');
  const blocks = await client.getBlockNumber();
  expect(await deploy()).toBeNull();
  expect(await client.getBlockNumber()).toBe(blocks);
});

test('the vault of an admin is deployed once, beside the factory', async () => {
  const contract = vaultContract('0x00000000000000000000000000000000000000aa');
  expect(await deploy({}, contract)).not.toBeNull();
  expect(keccak256((await codeAt(contract.address))!)).toBe(vaultCodeHash);
  expect(await deploy({}, contract)).toBeNull();
});

test('where the keyless deployer is missing it is deployed first, and paid for', async () => {
  await client.setCode({ address: deployer, bytecode: '0x' });
  const deployed = (await deploy())!;
  expect(10n ** 18n - (await client.getBalance({ address }))).toBe(deployed.cost);
  expect(deployed.cost).toBeGreaterThan(10n ** 16n);
  expect((await codeAt(deployer))!.length).toBeGreaterThan(2);
  expect(keccak256((await codeAt(factoryAddress))!)).toBe(factoryCodeHash);
  expect(await client.getTransactionCount({ address: signer })).toBe(1);
});

test('what the signer of the keyless deployer has already is not sent again', async () => {
  await client.setCode({ address: deployer, bytecode: '0x' });
  await client.setBalance({ address: signer, value: 9n * 10n ** 15n });
  await deploy();
  const spent = 10n ** 18n - (await client.getBalance({ address }));
  expect(spent).toBeGreaterThan(10n ** 15n);
  expect(spent).toBeLessThan(5n * 10n ** 15n);
});

test('a chain that takes no transaction from before EIP-155 costs nothing, and what to do is printed', async () => {
  await client.setCode({ address: deployer, bytecode: '0x' });
  const message = 'only replay-protected (EIP-155) transactions allowed over RPC';
  const refusing = refusingIf(message, (method) => method === 'eth_sendRawTransaction');
  await expect(deploy({ endpoints: refusing })).rejects.toThrow(
    /replay-protected.*--rpc\.allow-unprotected-txs/,
  );
  expect(await client.getBalance({ address })).toBe(10n ** 18n);
});

test('a keyless deployer that failed before is not tried again', async () => {
  await client.setCode({ address: deployer, bytecode: '0x' });
  await client.setNonce({ address: signer, nonce: 1 });
  await expect(deploy()).rejects.toThrow('failed on this chain, and cannot be sent again');
});

test('another contract at the address of the factory is reported, and nothing is sent', async () => {
  await client.setCode({ address: factoryAddress, bytecode: '0x6001' });
  const blocks = await client.getBlockNumber();
  await expect(deploy()).rejects.toThrow('is not the factory');
  expect(await client.getBlockNumber()).toBe(blocks);
});

test('a key without coins is refused with the error of the node', async () => {
  await client.setBalance({ address, value: 0n });
  await expect(deploy()).rejects.toThrow(/funds/i);
});

test('gas above the limit of the configuration is not bought', async () => {
  const config = chain.config();
  const cheap = { ...config, sweep: { ...config.sweep, maxGasPriceGwei: 0.000001 } };
  await expect(deploy({ chain: cheap })).rejects.toThrow('sweep.max_gas_price_gwei');
});

test('a transaction that is not mined in time is reported, and found done when it is run again', async () => {
  await client.setAutomine(false);
  try {
    await expect(deploy({ patienceMs: 40 })).rejects.toThrow('was not mined in time');
  } finally {
    await client.setAutomine(true);
  }
  await client.mine({ blocks: 1 });
  expect(await deploy()).toBeNull();
});

/** The real chain, but for calls that it refuses. */
function refusingIf(message: string, isRefused: (method: string) => boolean): Pick<Endpoints, 'use'> {
  return {
    use: (work, options) =>
      endpoints.use((endpoint) => {
        const batch: typeof endpoint.batch = async (calls) => {
          if (calls.some(({ method }) => isRefused(method))) throw new RpcFault('refused', message);
          return await endpoint.batch(calls);
        };
        return work({ ...endpoint, batch });
      }, options),
  };
}
