import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import { Agent, request } from 'undici';
import { encodeDeployData, encodeFunctionData } from 'viem';
import { startAnvil } from '../gateway/src/demo/chain/anvil.ts';
import testToken from '../gateway/src/demo/chain/test-token.json' with { type: 'json' };
import { type Database, openDatabase } from '../gateway/src/kit/db/db.ts';
import { migrate, readMigrations } from '../gateway/src/kit/db/migrate.ts';
import { startEmbedded } from '../gateway/src/kit/postgres/embedded-postgres.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { makeDataDir, removeDataDir } from '../gateway/test/support/data-dir.ts';

/** How many transfers of each scanned block are to payments. */
export const ours = 3;
const blocks = 10;
/** keccak256("Transfer(address,address,uint256)") */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const transfersATransaction = 300;

export type ScanRig = {
  rpcUrl: string;
  chainId: number;
  token: Hex;
  /** From the block before the first one with transfers to the last. */
  blocks: Block[];
  /** A new database with a number of addresses of open payments. */
  openPayments(count: number): Promise<Database>;
};

type Block = { number: number; hash: Hex };

type Rpc = <T>(method: string, params?: unknown[]) => Promise<T>;

/** Runs `work` with a local chain whose blocks have `transfers` transfers, and a database server with `fsync` on. */
export async function withScanRig<T>(transfers: number, work: (rig: ScanRig) => Promise<T>): Promise<T> {
  const dataDir = await makeDataDir();
  const chain = await startAnvil();
  const server = await startEmbedded({ dataDir, log: () => {} });
  const opened: Database[] = [];
  try {
    const rpc = rpcOf(chain.rpcUrl);
    const token = await deployToken(rpc);
    return await work({
      rpcUrl: chain.rpcUrl,
      chainId: Number.parseInt(await rpc<Hex>('eth_chainId'), 16),
      token,
      blocks: await mineBlocks(rpc, token, transfers),
      openPayments: async (count) => {
        const db = await openAddresses(server.connection, count);
        opened.push(db);
        return db;
      },
    });
  } finally {
    for (const db of opened) await db.end();
    await server.stop();
    await chain.stop();
    await removeDataDir(dataDir);
  }
}

function rpcOf(url: string): Rpc {
  return async (method, params = []) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body });
    const { result, error } = (await response.json()) as { result: never; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

async function deployToken(rpc: Rpc): Promise<Hex> {
  const [from] = await rpc<Hex[]>('eth_accounts');
  const { abi, bytecode } = testToken;
  const data = encodeDeployData({ abi, bytecode: bytecode as Hex, args: ['Test USDC', 'USDC', 18] });
  await rpc('evm_setAutomine', [false]);
  const hash = await rpc<Hex>('eth_sendTransaction', [{ from, data }]);
  await rpc('anvil_mine', ['0x1']);
  const { contractAddress } = await rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [hash]);
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [from, 10n ** 30n] });
  await rpc('eth_sendTransaction', [{ from, to: contractAddress, data: mint }]);
  return contractAddress;
}

async function mineBlocks(rpc: Rpc, token: Hex, transfers: number): Promise<Block[]> {
  const [from] = await rpc<Hex[]>('eth_accounts');
  await rpc('evm_setBlockGasLimit', ['0x20000000']);
  const mined = [await mineBlock(rpc)];
  for (let block = 0; block < blocks; block++) {
    const receivers = Array.from({ length: transfers }, (_, at) =>
      addressOf(at < ours ? `payment ${at}` : `stranger ${block} ${at}`),
    );
    for (let at = 0; at < transfers; at += transfersATransaction) {
      const to = receivers.slice(at, at + transfersATransaction);
      const args = [to, to.map((_, n) => 10n ** 18n + BigInt(n))];
      const data = encodeFunctionData({ abi: testToken.abi, functionName: 'transferToMany', args });
      await rpc('eth_sendTransaction', [{ from, to: token, data, gas: '0xf00000' }]);
    }
    mined.push(await mineBlock(rpc));
  }
  return mined;
}

/** Mines the waiting transactions into one block. */
async function mineBlock(rpc: Rpc): Promise<Block> {
  await rpc('anvil_mine', ['0x1']);
  const { number, hash } = await rpc<{ number: Hex; hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
  return { number: Number.parseInt(number, 16), hash };
}

/** An address without a key, the same in every run; the statement below makes the same ones. */
function addressOf(name: string): Hex {
  return `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
}

const addressesSql = `
INSERT INTO evm_addresses (address, owner_id, chain_ids, treasury, created_at)
SELECT '0x' || left(encode(sha256(convert_to('payment ' || n, 'UTF8')), 'hex'), 40),
  md5(n::text)::uuid, '{31337}', '0x' || repeat('00', 19) || '01', now()
FROM generate_series($1::integer, $2::integer - 1) AS n`;
const addressesAStatement = 100_000;

async function openAddresses(server: pg.PoolConfig, count: number): Promise<Database> {
  const database = `scan_${count}`;
  const admin = openDatabase(server, 1);
  await admin.query(`CREATE DATABASE ${database}`);
  await admin.end();
  const db = openDatabase({ ...server, database }, 10);
  await migrate(db, await readMigrations(join(import.meta.dirname, '../gateway/src')));
  for (let at = 0; at < count; at += addressesAStatement) {
    await db.query(addressesSql, [at, Math.min(at + addressesAStatement, count)]);
  }
  await db.query('VACUUM ANALYZE evm_addresses');
  return db;
}

const agent = new Agent({ maxResponseSize: 64 * 1024 * 1024 });

/** Asks the node for the transfers of its last blocks, and reads the whole answer without using it. */
export async function readLogs(rig: ScanRig, count: number): Promise<void> {
  const [first, last] = [rig.blocks.at(-count)!, rig.blocks.at(-1)!];
  const filter = {
    fromBlock: `0x${first.number.toString(16)}`,
    toBlock: `0x${last.number.toString(16)}`,
    address: [rig.token],
    topics: [transferTopic],
  };
  const response = await request(rig.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] }),
    dispatcher: agent,
  });
  if (response.statusCode !== 200) throw new Error(`Answered ${response.statusCode}`);
  for await (const _ of response.body);
}
