import { readConfig } from '../../config/config.ts';
import { withKeptDemoChain } from '../../demo/chain/demo-config.ts';
import { checksummed } from '../../rails/evm/addresses/forwarders.ts';
import type { ChainConfig } from '../../rails/evm/config/chains.ts';
import {
  DeployFault,
  deployContract,
  factoryContract,
  splittersContract,
  vaultContract,
} from '../../rails/evm/contracts/deploy.ts';
import { findSplittersFault, verifyContracts } from '../../rails/evm/contracts/verify.ts';
import { createEndpoints, type Endpoints } from '../../rails/evm/rpc/endpoints.ts';
import { RpcFault } from '../../rails/evm/rpc/rpc-fault.ts';
import { KeyFault, readGasKey } from '../../rails/evm/send/key.ts';
import type { RailFault } from '../../rails/health.ts';

type Done = { isGood: boolean; report: string };

/** `direct`: also the factory of splitters, which direct settlement needs on each chain with forwarders. */
type DeployOptions = {
  chainId?: string | undefined;
  keyFile?: string | undefined;
  direct?: boolean | undefined;
};

/**
 * Deploys factory and vault, where they are missing, on every configured chain or on one; at the same address on each.
 * Returns the exit code: 0 when both are on every chain, else 1.
 */
export async function deployContracts(
  env: NodeJS.ProcessEnv,
  { chainId, keyFile, direct }: DeployOptions,
): Promise<number> {
  return await onEachChain(await chainsOf(env, chainId), async (chain, endpoints) => {
    const factories = direct ? [factoryContract, splittersContract] : [factoryContract];
    const factory = chain.receiving.kind === 'forwarder' ? factories : [];
    const vault = chain.vault ? [vaultContract(chain.vault.admin)] : [];
    const contracts = [...factory, ...vault];
    if (contracts.length === 0) return { isGood: true, report: 'uses an xpub, and needs no factory' };
    const file = keyFile ?? chain.sweep.gasKeyFile;
    if (file === null) {
      return {
        isGood: false,
        report: 'needs a key that pays for gas: --key-file <file>, or sweep.gas_key_file',
      };
    }
    const key = await readGasKey(file);
    const reports: string[] = [];
    for (const contract of contracts) {
      const done = await deployContract({ chain, endpoints, key }, contract);
      const at = `the ${contract.name} is at ${checksummed(contract.address)}`;
      const cost = done && `${nativeText(done.cost)} ${chain.nativeSymbol} of ${checksummed(key.address)}`;
      reports.push(done === null ? `${at} already` : `${at}, deployed now by ${done.hash} for ${cost}`);
    }
    return { isGood: true, report: reports.join('; ') };
  });
}

/** Compares the contracts on each configured chain with the configuration. Returns the exit code: 0 all as configured, else 1. */
export async function verifyOnChains(
  env: NodeJS.ProcessEnv,
  { direct }: Pick<DeployOptions, 'direct'> = {},
): Promise<number> {
  return await onEachChain(await chainsOf(env, undefined), async (chain, endpoints) => {
    const hasForwarders = chain.receiving.kind === 'forwarder';
    const hasSplitters = direct === true && hasForwarders;
    const { value } = await endpoints.use((endpoint) => verifyContracts(endpoint, chain));
    const splitters = hasSplitters ? (await endpoints.use(findSplittersFault)).value : null;
    const faults = value.faults.map((fault) => withAdvice(fault, `--chain ${chain.id}`));
    if (splitters) faults.push(withAdvice(splitters, `--direct --chain ${chain.id}`));
    const isGood = faults.length === 0;
    const contracts = [
      ...(hasForwarders ? ['the factory'] : []),
      ...(hasSplitters ? ['the factory of splitters'] : []),
      ...(chain.vault ? ['the vault'] : []),
    ];
    const before = contracts.length > 0 ? `${contracts.join(', ')} and ` : '';
    return {
      isGood,
      report: isGood ? `${before}${value.assets.join(', ')} are as configured` : faults.join(' '),
    };
  });
}

/** What is wrong; and where a contract is missing, the command that deploys it. */
function withAdvice({ code, message }: RailFault, options: string): string {
  const isMissing = code === 'no_factory' || code === 'no_vault';
  return isMissing ? `${message} Run: florin contracts deploy ${options}` : message;
}

/** The configured chains, or the one of this id; throws when there is none. */
export async function chainsOf(env: NodeJS.ProcessEnv, chainId: string | undefined): Promise<ChainConfig[]> {
  const { chains } = await withKeptDemoChain(readConfig(env));
  if (chains.length === 0) throw new Error('there are no chains in the configuration file');
  const chosen = chains.filter(({ id }) => chainId === undefined || `${id}` === chainId);
  if (chosen.length > 0) return chosen;
  throw new Error(
    `chain ${chainId} is not in the configuration file, which has ${chains.map(({ id }) => id)}`,
  );
}

/** Does the work on each chain and prints a line for each; an error on one chain does not affect the others. */
async function onEachChain(
  chains: readonly ChainConfig[],
  work: (chain: ChainConfig, endpoints: Endpoints) => Promise<Done>,
): Promise<number> {
  let code = 0;
  for (const chain of chains) {
    const endpoints = createEndpoints({ chain });
    try {
      const { isGood, report } = await work(chain, endpoints).catch(faultReport);
      if (!isGood) code = 1;
      process.stdout.write(`${chain.name} (${chain.id}): ${report}\n`);
    } finally {
      await endpoints.close();
    }
  }
  return code;
}

function faultReport(error: unknown): Done {
  const isKnown = error instanceof RpcFault || error instanceof DeployFault || error instanceof KeyFault;
  if (!isKnown) throw error;
  return { isGood: false, report: error.message };
}

/** Wei as a decimal of the native coin, to six places. */
function nativeText(wei: bigint): string {
  const millionths = (wei + 10n ** 12n - 1n) / 10n ** 12n;
  return `${millionths / 1_000_000n}.${`${millionths % 1_000_000n}`.padStart(6, '0')}`;
}
