// Compiles the contracts: `node scripts/contracts.ts` writes the artifacts that the gateway and tests use. A test
// compares them.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);

/** The contracts that the gateway deploys, their sources, and the files of their artifacts. */
const shipped = {
  ForwarderFactory: {
    source: 'ForwarderFactory.sol',
    path: 'gateway/src/rails/evm/addresses/forwarder-factory.json',
    keeps: ['abi', 'bytecode', 'runtime', 'immutables'],
  },
  SplitterFactory: {
    source: 'Splitter.sol',
    path: 'gateway/src/rails/evm/addresses/splitter-factory.json',
    keeps: ['abi', 'bytecode', 'runtime', 'immutables'],
  },
  PayoutVault: {
    source: 'PayoutVault.sol',
    path: 'gateway/src/rails/evm/addresses/payout-vault.json',
    keeps: ['abi', 'bytecode', 'runtime'],
  },
  TestToken: {
    source: 'TestToken.sol',
    path: 'gateway/src/demo/chain/test-token.json',
    keeps: ['abi', 'bytecode'],
  },
} satisfies Record<string, { source: string; path: string; keeps: (keyof Compiled)[] }>;

/** Files with contracts that tests use. Their artifacts are kept in a file, since the compiler takes seconds. */
const tested = [
  'ForwarderFactory.sol',
  'Splitter.sol',
  'test/Destinations.sol',
  'test/OddTokens.sol',
  'test/Wallets.sol',
];
const testedPath = join(root, 'contracts/test/compiled.json');

type Hex = `0x${string}`;
export type Compiled = {
  abi: unknown[];
  /** The creation bytecode. */
  bytecode: Hex;
  /** The deployed bytecode, with zeros where the constructor writes immutables. */
  runtime: Hex;
  /** The offsets in `runtime` of each immutable, in bytes, in the order of their declaration. */
  immutables: number[][];
};

type Evm = {
  bytecode: { object: string };
  deployedBytecode: { object: string; immutableReferences: Record<string, { start: number }[]> };
};
type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: unknown[]; evm: Evm }>>;
};

/** The compiled contracts of one file of `contracts/`, by name, as far as tests need them. */
export async function compiled(file: string): Promise<Record<string, Pick<Compiled, 'abi' | 'bytecode'>>> {
  return JSON.parse(await readFile(testedPath, 'utf8'))[file];
}

/** Compiles one file of `contracts/`; its contracts by name. */
async function compile(file: string): Promise<Record<string, Compiled>> {
  return await compileText(file, await readFile(join(root, 'contracts', file), 'utf8'));
}

/** Throws with every message of the compiler. */
async function compileText(file: string, content: string): Promise<Record<string, Compiled>> {
  const { default: solc } = await import('solc');
  const input = {
    language: 'Solidity',
    sources: { [file]: { content } },
    settings: {
      optimizer: { enabled: true, runs: 10_000 },
      evmVersion: 'paris',
      // Comments and file names must not change the code, and so every address.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const messages = (output.errors ?? []).map(({ formattedMessage }) => formattedMessage);
  if (messages.length > 0) throw new Error(messages.join('\n'));
  return Object.fromEntries(
    Object.entries(output.contracts[file]!).map(([name, { abi, evm }]) => [
      name,
      {
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        runtime: `0x${evm.deployedBytecode.object}`,
        // Its keys are numbers of the syntax tree, which an object keeps in ascending order.
        immutables: Object.values(evm.deployedBytecode.immutableReferences).map((places) =>
          places.map(({ start }) => start),
        ),
      },
    ]),
  );
}

function artifactOf(contract: Compiled, keeps: readonly (keyof Compiled)[]): string {
  return `${JSON.stringify(Object.fromEntries(keeps.map((key) => [key, contract[key]])), null, 2)}\n`;
}

/** The artifact of a shipped contract whose source (`PayoutVault.sol`) is another text: its file, and what is in it. */
export async function artifactWith(file: string, text: string): Promise<{ path: string; text: string }> {
  const found = Object.entries(shipped).find(([, { source }]) => source === file);
  if (!found) throw new Error(`${file} is no source of what is shipped`);
  const [name, { path, keeps }] = found;
  const contract = (await compileText(file, text))[name];
  if (!contract) throw new Error(`There is no ${name} in it`);
  return { path: join(root, path), text: artifactOf(contract, keeps) };
}

/** The artifacts that the gateway ships, and those of tests: the text of each file, by its path. */
export async function artifacts(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, { source, path, keeps }] of Object.entries(shipped)) {
    texts.set(join(root, path), artifactOf((await compile(source))[name]!, keeps));
  }
  const forTests: Record<string, Awaited<ReturnType<typeof compiled>>> = {};
  for (const file of tested) {
    const all = Object.entries(await compile(file));
    forTests[file] = Object.fromEntries(all.map(([name, { abi, bytecode }]) => [name, { abi, bytecode }]));
  }
  texts.set(testedPath, `${JSON.stringify(forTests)}\n`);
  return texts;
}

if (import.meta.main) {
  for (const [path, text] of await artifacts()) await writeFile(path, text);
}
