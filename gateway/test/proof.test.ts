import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeFunctionData, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, test, vi } from 'vitest';
import { compiled } from '../../scripts/contracts.ts';
import { checkPath, checkStatement } from '../../web/proof/check.ts';
import { type AskChain, checkChain, nodeAt } from '../../web/proof/check-chain.ts';
import { addressText, type SignedStatement } from '../../web/proof/statement.ts';
import { checkProof } from '../src/commands/treasury/check-proof.ts';
import { transaction } from '../src/kit/db/db.ts';
import { makeReusableAddress } from '../src/payouts/arrivals/addresses.ts';
import { factoryAddress, forwarderAddress, ownerWord } from '../src/rails/evm/addresses/forwarders.ts';
import { vaultAddress } from '../src/rails/evm/addresses/vault.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { ownerText } from '../src/rails/owner.ts';
import { makeProof, type ProofDeps } from '../src/treasury/proofs/make.ts';
import { createProofWatch } from '../src/treasury/proofs/schedule.ts';
import { findProof, listProofs, pathOf, writeSignature } from '../src/treasury/proofs/store.ts';
import { deposits } from '../src/wallets/deposits/deposits.ts';
import { accounts, startChain } from './chain/chain.ts';
import { admin, deployVault } from './chain/vault-fixtures.ts';
import { openChainShop } from './settlement/chain-shop.ts';
import { testFolder } from './support/data-dir.ts';
import { testDatabase } from './support/database.ts';
import { seedUser, silentLog, testClock, testSeal } from './support/fixtures.ts';
import { paymentById } from './support/payment-fixtures.ts';

// A statement of what is owed beside what a real chain holds, in a vault, a treasury that is a contract, and forwarders.

const { db } = await testDatabase();
const [chain, contracts, folder] = await Promise.all([
  startChain(),
  compiled('test/Wallets.sol'),
  testFolder(),
]);
const owner = privateKeyToAccount(generatePrivateKey());
const { abi, bytecode } = contracts.OwnedWallet!;
const treasury = await chain.deploy(abi, bytecode, [owner.address]);
const usdc = chain.tokens['usdc-bep20']!;
const coin = 10n ** 18n;
const factory = parseAbi(['function sweep(address token, address destination, bytes32[] payments)']);
const clock = testClock(new Date());
const vault = vaultAddress(admin);
const keyFile = join(folder, 'vault.key');
const signerKey = Buffer.from(accounts.signer.getHdKey().privateKey!).toString('hex');
await writeFile(keyFile, signerKey, { mode: 0o600 });
await deployVault(chain);
const config = {
  ...chain.config({ finality: 'confirmations', startBlock: null }),
  receiving: { kind: 'forwarder', treasury } as const,
  vault: {
    ...{ admin, address: vault, keep: new Map<string, bigint>() },
    signer: { by: { kind: 'file', keyFile } as const, address: null },
  },
};
const { assets, rail, shop, chains } = await openChainShop(db, config, clock);
const deps: ProofDeps = {
  ...{ db, seal: testSeal, assets, chains: chains.all, pi: null, baseUrl: 'https://pay.example' },
  ...{ readStamp: async () => '7:abc', now: clock.now, log: silentLog },
};
const node = nodeAt(chain.rpcUrl);

async function read(): Promise<void> {
  await chain.mine(3);
  for (let round = 0; round < 3; round += 1) {
    for (const { work } of chains.loops) await work();
    clock.advance(60);
  }
}

const ofShop = { kind: 'business', owner: shop.owner.integrationId } as const;
let jane: string;

beforeAll(async () => {
  await usdc.mint(treasury, 5n * coin);
  await read();
  await db.query('UPDATE evm_chains SET verified_at = now(), verified_assets = $1', [
    Object.keys(chain.tokens),
  ]);
  jane = await seedUser(db, 'jane');
  const wallet = { kind: deposits, id: jane, mode: 'live' } as const;
  const own = await transaction(db, (tx) =>
    makeReusableAddress(tx, { rail, now: clock.now }, wallet, assets.get('usdc-bep20')),
  );
  const payment = await shop.create({ amount: 10 });
  await usdc.send(own.address.toLowerCase() as Hex, 7n * coin);
  await usdc.send(forwarderAddress(treasury, payment.id), 11n * coin);
  await usdc.mint(vault, 50n * coin);
  await read();
  expect((await paymentById(db, payment.id)).status).toBe('completed');
});

/** Signs for the treasury, as the owner of its contract does elsewhere. */
async function signTreasury({ statement }: SignedStatement): Promise<SignedStatement> {
  const signature = await owner.signMessage({ message: addressText(statement, treasury) });
  const row = { chain_id: config.id, address: treasury, by: null, signature };
  await writeSignature(db, statement.id, row, clock.now());
  return (await findProof(db, statement.id))!;
}

async function codesOf(signed: SignedStatement, ask: AskChain = node): Promise<string[]> {
  const faults = [
    ...(await checkStatement(signed)),
    ...(await checkChain(signed, signed.statement.chains[0]!, ask)),
  ];
  return faults.map(({ code }) => code);
}

test('shows what is owed and held, each address with its reason, and anybody can check it', async () => {
  const made = await makeProof(deps);
  const { statement } = made;
  expect(statement.assets).toEqual([
    {
      ...{ asset: 'usdc-bep20', scale: 18, chain_id: config.id, token: usdc.address, promised: '0' },
      ...{ root: expect.stringMatching(/^[0-9a-f]{64}$/), sum: `${16_900_000_000_000_000_000n}` },
      owed: {
        ...{ businesses: `${9_900_000_000_000_000_000n}`, wallets: `${7n * coin}` },
        ...{ customers: `${1n * coin}`, unsettled: '0', arriving: '0' },
      },
    },
  ]);
  expect(statement.ledger).toEqual({ entry: expect.stringMatching(/^[1-9]\d*$/), stamp: '7:abc' });
  const heldBy = (kind: string) => statement.addresses.filter((each) => each.kind === kind);
  expect(heldBy('vault').map(({ address, balances }) => [address, balances[0]?.units])).toEqual([
    [vault, `${50n * coin}`],
  ]);
  expect(heldBy('wallet').map(({ address }) => address)).toEqual([treasury]);
  expect(heldBy('forwarder')).toHaveLength(2);
  // The treasury's contract has not said yet that it is ours; the vault's signer has.
  expect(await codesOf(made)).toEqual(['unsigned']);
  const signed = await signTreasury(made);
  expect(await codesOf(signed)).toEqual([]);
  expect((await listProofs(db, 1))[0]).toEqual(signed);
});

test('each owner has a path of their own, and nobody else does', async () => {
  const { statement } = await makeProof(deps);
  const path = (await pathOf(db, statement.id, ofShop))!;
  expect(path.leaves).toMatchObject([
    { asset: 'usdc-bep20', account: `business:${ofShop.owner}`, units: `${9_900_000_000_000_000_000n}` },
  ]);
  expect(checkPath(statement, path)).toEqual([]);
  expect(checkPath(statement, (await pathOf(db, statement.id, { kind: 'user', owner: jane }))!)).toEqual([]);
  expect(await pathOf(db, statement.id, { kind: 'user', owner: ofShop.owner })).toBe(null);
  const next = await makeProof(deps);
  expect(checkPath(next.statement, path)).toMatchObject([{ code: 'other_statement' }]);
  // The salts are new, so two statements cannot be compared leaf by leaf.
  expect((await pathOf(db, next.statement.id, ofShop))?.leaves[0]?.salt).not.toBe(path.leaves[0]?.salt);
});

test('the chain shows what the file cannot: other balances, blocks, networks, owners', async () => {
  const signed = await signTreasury(await makeProof(deps));
  const forged = async (forge: (copy: SignedStatement) => void) => {
    const copy = structuredClone(signed);
    forge(copy);
    const faults = await checkChain(copy, copy.statement.chains[0]!, node);
    return faults.map(({ code }) => code);
  };
  const at = (kind: string) => signed.statement.addresses.findIndex((each) => each.kind === kind);
  const vaultAt = at('vault');
  expect(
    await forged(({ statement }) => {
      statement.addresses[vaultAt]!.balances[0]!.units = `${51n * coin}`;
    }),
  ).toContain('balance');
  expect(
    await forged(({ statement }) => {
      statement.chains[0]!.block -= 1;
    }),
  ).toEqual(['block']);
  expect(
    await forged(({ statement }) => {
      statement.chains[0]!.chain_id = 1;
    }),
  ).toEqual(['network']);
  // A contract of somebody else's, in place of the vault.
  expect(
    await forged(({ statement }) => {
      Object.assign(statement.addresses[at('wallet')]!, { kind: 'vault' });
    }),
  ).toContain('derivation');
  // Somebody's key that the vault does not know, and a signature that the treasury does not take.
  const stranger = privateKeyToAccount(generatePrivateKey());
  for (const address of [vault, treasury]) {
    const signature = await stranger.signMessage({ message: addressText(signed.statement, address) });
    const by = address === vault ? stranger.address.toLowerCase() : null;
    const others = signed.addresses.filter((each) => each.address !== address);
    const copy = { ...signed, addresses: [...others, { chain_id: config.id, address, by, signature }] };
    expect(await codesOf(copy)).toEqual(['address_signature']);
  }
  // What is there after the block does not count.
  await usdc.mint(vault, coin);
  expect(await codesOf(signed)).toEqual([]);
  const silent: AskChain = async () => {
    throw new Error('the node is away');
  };
  expect(await codesOf(signed, silent)).toEqual(['network']);
});

test('money that has come and is not booked yet is owed', async () => {
  const payment = await shop.create({ amount: 3 });
  await usdc.send(forwarderAddress(treasury, payment.id), 3n * coin);
  await read();
  // As it is between two steps of the reading: it is final on the chain, and the ledger does not know of it.
  const { rows } = await db.query(
    `UPDATE evm_transfers SET reported_state = NULL WHERE units = $1 RETURNING asset`,
    [3n * coin],
  );
  expect(rows).toHaveLength(1);
  expect((await makeProof(deps)).statement.assets[0]?.owed.arriving).toBe(`${3n * coin}`);
  await read();
  expect((await makeProof(deps)).statement.assets[0]?.owed.arriving).toBe('0');
});

test('a crash while it is written leaves nothing, and the next attempt makes it', async () => {
  const count = async () =>
    (await db.query('SELECT (SELECT count(*) FROM proofs) + (SELECT count(*) FROM proof_nodes) AS n')).rows;
  const before = await count();
  await db.query(`CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`);
  await db.query(
    'CREATE TRIGGER crash BEFORE INSERT ON proof_leaves FOR EACH STATEMENT EXECUTE FUNCTION crash()',
  );
  await expect(makeProof(deps)).rejects.toThrow();
  expect(await count()).toEqual(before);
  await db.query('DROP TRIGGER crash ON proof_leaves');
  expect(await codesOf(await signTreasury(await makeProof(deps)))).toEqual([]);
});

test('is made at its time, once, whoever looks', async () => {
  const times = { weekday: 1, minute: 210 };
  const watches = [createProofWatch(deps, times), createProofWatch(deps, times)];
  const made = async () => (await listProofs(db, 100)).length;
  const before = await made();
  clock.advance(8 * 86_400);
  await Promise.all(watches.map((watch) => watch()));
  for (const watch of watches) await watch();
  expect(await made()).toBe(before + 1);
});

test('the command checks a file without a gateway, and says what is wrong', async () => {
  const signed = await signTreasury(await makeProof(deps));
  const file = join(folder, 'proof.json');
  const pathFile = join(folder, 'path.json');
  await writeFile(pathFile, JSON.stringify(await pathOf(db, signed.statement.id, ofShop)));
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(`${line}`) > 0);
  try {
    await writeFile(file, JSON.stringify(signed));
    expect(await checkProof({ file, rpc: [chain.rpcUrl], path: pathFile })).toBe(0);
    signed.statement.assets[0]!.sum = '1';
    await writeFile(file, JSON.stringify(signed));
    expect(await checkProof({ file, rpc: [], path: pathFile })).toBe(2);
  } finally {
    spy.mockRestore();
  }
  expect(lines.join('')).toContain('Nothing is wrong.');
  expect(lines.join('')).toContain(`business:${ofShop.owner} is in it with`);
  expect(lines.join('')).toMatch(/was not asked[\s\S]*WRONG \(signature\)[\s\S]*WRONG \(sum\)/);
  await expect(checkProof({ file: pathFile, rpc: [], path: undefined })).rejects.toThrow('is no statement');
});

test('less than what is owed is published as it is, and refused by whoever checks it', async () => {
  const pays = await deployVault(chain);
  const to = accounts.stranger.address.toLowerCase() as Hex;
  await pays.pay(usdc.address, [{ id: 1n, to, amount: 51n * coin }], { from: admin });
  // What Jane paid in is swept, and then sent away with what the treasury had.
  const word = ownerWord(ownerText({ kind: 'user', id: jane }));
  const sweep = { abi: factory, functionName: 'sweep', args: [usdc.address, treasury, [word]] } as const;
  await chain.mined(await chain.transact(accounts.stranger, factoryAddress, encodeFunctionData(sweep)));
  const call = { abi, functionName: 'send', args: [usdc.address, to, 12n * coin] };
  await chain.mined(await chain.transact(accounts.payer, treasury, encodeFunctionData(call as never)));
  await read();
  const signed = await makeProof(deps);
  expect(signed.statement.addresses.map(({ kind }) => kind).sort()).toEqual([
    'forwarder',
    'forwarder',
    'wallet',
  ]);
  expect(await codesOf(await signTreasury(signed))).toEqual(['reserves']);
});
