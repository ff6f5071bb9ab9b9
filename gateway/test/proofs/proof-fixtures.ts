import { randomBytes, randomUUID } from 'node:crypto';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import {
  addressText,
  type ProofPath,
  type ProvedAddress,
  pathFormat,
  type SignedStatement,
  type Statement,
  statementFormat,
  statementText,
} from '../../../web/proof/statement.ts';
import { installationKey, signByInstallation } from '../../src/kit/installation-key.ts';
import { createSeal } from '../../src/kit/seal.ts';
import {
  factoryAddress,
  forwarderAddress,
  forwarderInitCodeHash,
  forwarderSalt,
  ownerWord,
} from '../../src/rails/evm/addresses/forwarders.ts';
import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { buildTree, saltOf, siblingsOf, type Tree } from '../../src/treasury/proofs/tree.ts';

const seal = createSeal(randomBytes(32));

/** The asset of the statements that tests make up, and its chain. */
export const provedAsset = 'usdc-bep20';
const chain_id = 31_337;

export type MadeUp = {
  seed: Buffer;
  tree: Tree;
  accounts: { account: string; units: bigint }[];
  treasury: PrivateKeyAccount;
  statement: Statement;
};

/** A statement of balances that are held by a treasury and by a forwarder to it. */
export async function madeUpStatement(
  balances: readonly bigint[],
  nameOf = (at: number) => `user:${at}`,
): Promise<MadeUp> {
  const seed = randomBytes(32);
  const accounts = balances.map((units, at) => ({ account: nameOf(at), units }));
  const leaves = accounts.map(({ account, units }) => ({
    ...{ asset: provedAsset, account, units },
    salt: saltOf(seed, provedAsset, account),
  }));
  const tree = await buildTree(seed, provedAsset, leaves);
  const treasury = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
  const [place, owner] = [treasury.address.toLowerCase() as Hex, '01890a5d-ac96-774b-bcce-b302099a8057'];
  const sum = tree.root.sum.toString();
  const holds = (units: bigint) => [{ asset: provedAsset, units: units.toString() }];
  const addresses: ProvedAddress[] = [
    { chain_id, address: place, kind: 'wallet', balances: holds(tree.root.sum) },
    {
      ...{ chain_id, address: forwarderAddress(place, owner), kind: 'forwarder', balances: holds(0n) },
      ...{ factory: factoryAddress, init_code_hash: forwarderInitCodeHash, treasury: place },
      ...{ salt: forwarderSalt(place, owner), owner: ownerWord(owner) },
    },
  ];
  const statement: Statement = {
    ...{
      format: statementFormat,
      id: randomUUID(),
      installation: 'https://pay.example',
      key: installationKey(seal),
    },
    ...{ made_at: '2026-11-30T10:00:00.000Z', ledger: { entry: '1', stamp: null } },
    chains: [{ chain_id, name: 'Demo chain', block: 7, block_hash: `0x${'0'.repeat(64)}` }],
    assets: [
      {
        ...{ asset: provedAsset, scale: 18, chain_id, token: `0x${'1'.repeat(40)}` },
        ...{ root: tree.root.hash, sum, promised: '0' },
        owed: { businesses: '0', wallets: sum, customers: '0', unsettled: '0', arriving: '0' },
      },
    ],
    addresses,
  };
  return { seed, tree, accounts, treasury, statement };
}

/** The statement as it is published: signed by the installation and the treasury. */
export async function signedBy(treasury: PrivateKeyAccount, statement: Statement): Promise<SignedStatement> {
  const address = treasury.address.toLowerCase();
  const signature = await treasury.signMessage({ message: addressText(statement, address) });
  return {
    statement,
    signature: signByInstallation(seal, statementText(statement)),
    addresses: [{ chain_id, address, by: address, signature }],
  };
}

/** The path of one of the made-up accounts. */
export async function pathIn({ seed, tree, accounts, statement }: MadeUp, at: number): Promise<ProofPath> {
  const { account = '', units = 0n } = accounts[at] ?? {};
  const read = async (level: number, chunk: number) =>
    tree.chunks.find((each) => each.level === level && each.chunk === chunk)?.nodes ?? null;
  const siblings = await siblingsOf(tree.places[at] ?? -1, read);
  return {
    ...{ format: pathFormat, statement: statement.id },
    leaves: [
      {
        ...{ asset: provedAsset, account, units: units.toString(), salt: saltOf(seed, provedAsset, account) },
        siblings: siblings.map((each) => ({ ...each, sum: each.sum.toString() })),
      },
    ],
  };
}
