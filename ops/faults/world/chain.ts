import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { parseTransaction, type TransactionSerializable, type Hex as ViemHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { deploySplitters, fill, openMint, type Purse } from '../../../gateway/src/demo/chain/coins.ts';
import { createLocalRpc, type LocalRpc } from '../../../gateway/src/demo/chain/rpc.ts';
import { furnishVault } from '../../../gateway/src/demo/chain/vault.ts';
import { factoryAddress } from '../../../gateway/src/rails/evm/addresses/forwarders.ts';
import { accounts, startChain, treasury } from '../../../gateway/test/chain/chain.ts';
import { type ChainDriver, openDriver } from '../../../gateway/test/chain/driver.ts';
import { type BrittleEndpoint, startBrittle } from '../../../gateway/test/chain/endpoint.ts';
import { familyOf } from '../../failover/processes.ts';
import type { Ends } from '../../stories/tools.ts';
import type { WorldClock } from './clock.ts';
import { listen } from './listen.ts';
import { openRelay, type Relay } from './relay.ts';
import type { Chain, Hex } from './world.ts';

export type WorldChain = Chain & {
  driver: ChainDriver;
  endpoints: readonly (BrittleEndpoint & { relay: Relay })[];
  /** Before the program that signs for the vault. */
  signer: Relay;
  /** Runs something while no block is made, and none while it runs. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Those of anvil. */
  processes(): Promise<number[]>;
  /** The entry of the configuration file. */
  entry: object;
};

const assets = { 'usdc-bep20': 18, 'usdt-bep20': 18, 'csk-bep20': 18, 'usdc-base': 6, unlisted: 18 };
const customers = 12;
const slots = 2;
/** Two epochs. */
const finalDepth = 2 * slots;
const blockMs = 400;
/** How far its time may be ahead of the world's: each block is a second, also when it took less. */
const aheadMs = 1_500;
const keptStates = 512;
const coins = 1_000_000n;

export async function openWorldChain(folder: string, clock: WorldClock, ends: Ends): Promise<WorldChain> {
  const chain = await startChain({ chainId: 31_337, assets, slotsInAnEpoch: slots, keptStates });
  ends.push(chain.stop);
  const rpc = createLocalRpc(chain.rpcUrl);
  const tokens = Object.fromEntries(
    Object.values(chain.tokens).map(({ asset, address, scale }) => [asset, { address, scale }]),
  );
  const { unlisted, ...listed } = tokens;
  if (!unlisted) throw new Error('The token that no payment is in is missing');
  const purse = purseOf(Object.values(tokens), coins);
  const people = await makeCustomers(rpc, purse);
  await deploySplitters(rpc);
  const host = freshAccount().address;
  const admin = accounts.admin.address.toLowerCase() as Hex;
  const vault = await furnishVault(rpc, {
    admin,
    signer: accounts.signer.address.toLowerCase() as Hex,
    purse: purseOf(Object.values(listed), coins),
    limits: purseOf(Object.values(listed), coins * 1000n).tokens,
  });
  const driver = await openDriver(chain);
  driver.follow(() => new Date(clock.now()));
  const { alone, grow, close } = makeBlocks(driver, clock);
  ends.push(close);
  const endpoints = [];
  for (let nth = 1; nth <= 2; nth++) {
    const endpoint = await startBrittle(chain.rpcUrl);
    const relay = await openRelay(0, Number(new URL(endpoint.url).port));
    ends.push(endpoint.close, relay.close);
    endpoints.push({ ...endpoint, relay });
  }
  const signer = await openSigner(ends);
  const gasKeyFile = join(folder, 'gas.key');
  await writeFile(gasKeyFile, `${keyOf(accounts.gas)}\n`, { mode: 0o600 });
  return {
    rpcUrl: chain.rpcUrl,
    chainId: chain.id,
    tokens: listed,
    strangeToken: unlisted.address,
    customers: people,
    ...{ treasury, vault, host, factory: factoryAddress, finalDepth, driver, endpoints, signer, alone, grow },
    processes: async () => (chain.pid === undefined ? [] : await familyOf([chain.pid])),
    entry: chain.entry({
      rpc: endpoints.map(({ relay }) => `http://127.0.0.1:${relay.port}`),
      confirmations: finalDepth + 1,
      native: { symbol: 'ETH', usd: '1' },
      tokens: Object.fromEntries(Object.entries(listed).map(([code, { address }]) => [code, address])),
      sweep: { gas_key_file: gasKeyFile, every_minutes: 0.05, worth: 0 },
      fee_address: host,
      vault: {
        admin,
        signer: { url: `http://127.0.0.1:${signer.port}`, address: accounts.signer.address },
      },
    }),
  };
}

function purseOf(tokens: readonly { address: Hex; scale: number }[], amount: bigint): Purse {
  return { native: 0n, tokens: tokens.map((token) => ({ ...token, amount })) };
}

async function makeCustomers(rpc: LocalRpc, purse: Purse): Promise<Chain['customers']> {
  await openMint(rpc);
  await rpc('anvil_setBalance', [
    '0x000000000000000000000000000000000f10214e',
    `0x${(10n ** 30n).toString(16)}`,
  ]);
  const people = Array.from({ length: customers }, freshAccount);
  for (const { address } of people) await fill(rpc, address, { ...purse, native: 1000n });
  return people;
}

function freshAccount(): { address: Hex; key: Hex } {
  const key: Hex = `0x${randomBytes(32).toString('hex')}`;
  return { address: privateKeyToAccount(key).address.toLowerCase() as Hex, key };
}

/** Makes blocks at an even pace; the world's clock is never far behind the time of the last one. */
function makeBlocks(driver: ChainDriver, clock: WorldClock) {
  let turn: Promise<unknown> = Promise.resolve();
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  }
  const grow = (blocks: number): Promise<void> =>
    alone(() => driver.mine(blocks)).then(() => clock.reach(driver.view().headTime * 1000 - aheadMs));
  let isDue = true;
  const timer = setInterval(() => {
    // A chain that stands still makes none, and no more than one after it.
    if (!isDue) return;
    isDue = false;
    void grow(1)
      .catch(() => {})
      .finally(() => {
        isDue = true;
      });
  }, blockMs);
  return {
    ...{ alone, grow },
    async close() {
      clearInterval(timer);
      await turn;
    },
  };
}

const keyOf = (account: typeof accounts.signer): Hex =>
  `0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}`;

/** The program that signs what the vault pays, with a relay before it. */
async function openSigner(ends: Ends): Promise<Relay> {
  const account = privateKeyToAccount(keyOf(accounts.signer));
  const server = createServer(async (request, response) => {
    const { transaction } = (await json(request)) as { transaction: ViemHex };
    const signed = await account.signTransaction(parseTransaction(transaction) as TransactionSerializable);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ transaction: signed }));
  });
  const relay = await openRelay(0, await listen(server, ends));
  ends.push(relay.close);
  return relay;
}
