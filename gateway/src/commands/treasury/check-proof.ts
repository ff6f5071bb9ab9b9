import { readFile } from 'node:fs/promises';
import { checkPath, checkStatement, readProofFile } from '../../../../web/proof/check.ts';
import { type AskChain, checkChain, nodeAt } from '../../../../web/proof/check-chain.ts';
import type { ProofFault } from '../../../../web/proof/fault.ts';
import {
  decimalOfUnits,
  heldOf,
  owedOf,
  type ProofPath,
  type SignedStatement,
} from '../../../../web/proof/statement.ts';

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

type CheckOrder = {
  /** The file of a statement. */
  file: string;
  /** Addresses of nodes, one for each chain that is to be asked. */
  rpc: readonly string[];
  /** The file of somebody's path in it. */
  path: string | undefined;
};

/** Checks a statement without the gateway. Returns the exit code: 0: nothing is wrong; 2: something is. */
export async function checkProof({ file, rpc, path }: CheckOrder): Promise<number> {
  const signed = await readAs(file, isStatement, 'statement');
  const faults = await checkStatement(signed);
  print(`Statement ${signed.statement.id} of ${signed.statement.installation}, ${signed.statement.made_at}`);
  print(`signed with the key ${signed.statement.key}`);
  printAssets(signed);
  faults.push(...(await checkChains(signed, rpc)));
  if (path !== undefined) faults.push(...(await checkOwn(signed, path)));
  for (const { code, why } of faults) print(`WRONG (${code}): ${why}`);
  if (faults.length === 0) print('Nothing is wrong.');
  return faults.length === 0 ? 0 : 2;
}

function printAssets({ statement }: SignedStatement): void {
  for (const asset of statement.assets) {
    const [owed, held] = [owedOf(asset), heldOf(statement, asset.asset)].map((units) =>
      decimalOfUnits(units, asset.scale),
    );
    const contract = asset.token === null ? '' : ` in the contract ${asset.token} on chain ${asset.chain_id}`;
    print(`${asset.asset}: ${owed} owed, ${held} held${contract}`);
    if (asset.chain_id === null)
      print('  what is held is not checked: this network shows no balances of the past');
  }
}

async function checkChains(signed: SignedStatement, urls: readonly string[]): Promise<ProofFault[]> {
  const nodes = new Map<unknown, AskChain>();
  for (const url of urls) {
    const ask = nodeAt(url);
    nodes.set(await ask('eth_chainId', []), ask);
  }
  const faults: ProofFault[] = [];
  for (const chain of signed.statement.chains) {
    const ask = nodes.get(`0x${chain.chain_id.toString(16)}`);
    if (ask) faults.push(...(await checkChain(signed, chain, ask)));
    else print(`${chain.name} (${chain.chain_id}) was not asked: --rpc names a node of it`);
  }
  return faults;
}

async function checkOwn({ statement }: SignedStatement, file: string): Promise<ProofFault[]> {
  const path = await readAs(file, isPath, 'path');
  const faults = checkPath(statement, path);
  if (faults.length > 0) return faults;
  for (const { asset, account, units } of path.leaves) {
    const scale = statement.assets.find((each) => each.asset === asset)?.scale ?? 0;
    print(`${account} is in it with ${decimalOfUnits(BigInt(units), scale)} ${asset}`);
  }
  return [];
}

type Read = SignedStatement | ProofPath | ProofFault;
const isStatement = (read: Read): read is SignedStatement => 'signature' in read;
const isPath = (read: Read): read is ProofPath => 'leaves' in read;

async function readAs<T extends Read>(file: string, is: (read: Read) => read is T, what: string): Promise<T> {
  const read = readProofFile(await readFile(file, 'utf8'));
  if ('why' in read) throw new Error(`${file}: ${read.why}`);
  if (!is(read)) throw new Error(`${file} is no ${what}`);
  return read;
}
