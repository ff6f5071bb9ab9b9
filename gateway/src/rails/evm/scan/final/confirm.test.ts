import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { accounts, startChain } from '../../../../../test/chain/chain.ts';
import { inventedLog, type RpcLog, startRpcProxy } from '../../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../../test/support/database.ts';
import type { Hex } from '../../config/chains.ts';

// What was booked on one endpoint's word, once another one answers again.

const { db } = await testDatabase();
const local = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = local.tokens['usdc-bep20']!;
const [first, second, third] = await Promise.all([1, 2, 3].map(() => startRpcProxy(local.rpcUrl)));
const proxies = [first!, second!, third!];

let scan: Scan;
let errors: { msg: string; transaction?: string }[];
async function open(count: number): Promise<void> {
  const log = pino({ level: 'error' }, { write: (line) => errors.push(JSON.parse(line)) });
  scan = await openScan(db, local, { rpcUrls: proxies.slice(0, count).map(({ url }) => url), log });
  await scan.tick();
}
beforeEach(async () => {
  await emptyTables(
    db,
    'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses, evm_second_readings',
  );
  for (const proxy of proxies) proxy.mend();
  errors = [];
  await local.mine(5);
});

type Paid = { id: string; address: Hex; block: { number: bigint; hash: Hex }; transaction: Hex };

async function paid(): Promise<Paid> {
  const { id, address } = await scan.pay();
  const receipt = await local.mined(await usdc.send(address, 5n));
  const block = { number: receipt.blockNumber, hash: receipt.blockHash };
  return { id, address, block, transaction: receipt.transactionHash };
}
/** Only the first endpoint answers, for so long that its word has to do. */
async function alone(): Promise<void> {
  for (const proxy of proxies.slice(1)) proxy.faults.dead = true;
  await local.mine(3);
  await scan.tick();
  scan.clock.advance(121);
  await scan.tick(2);
}
/** The others answer again, as soon as they have rested; by then another process scans. */
async function together(): Promise<void> {
  for (const proxy of proxies) proxy.faults.dead = false;
  await scan.restart();
}
const invented = ({ address, block }: Paid): RpcLog =>
  inventedLog({
    token: usdc.address,
    from: accounts.payer.address.toLowerCase() as Hex,
    to: address,
    units: 1_000n,
    block,
  });
/** Its contract is told to hold what was invented. */
const covered = (units: bigint): Hex => `0x${(units + 1_000n).toString(16)}`;
const unconfirmed = async () =>
  (await scan.scanner.health()).faults
    .filter(({ code }) => code === 'unconfirmed')
    .map(({ message }) => message);
/** Goes on until nothing is unconfirmed. */
const settled = () =>
  expect
    .poll(async () => {
      scan.clock.advance(1);
      await scan.tick();
      return await unconfirmed();
    })
    .toEqual([]);
const eventually = (id: string) =>
  expect.poll(async () => {
    scan.clock.advance(1);
    await scan.tick();
    return scan.standing(id);
  });

describe.each([2, 3])('with %i endpoints', (count) => {
  beforeEach(() => open(count));

  test('what another one reports alike is confirmed, without an alert', async () => {
    const { id } = await paid();
    await alone();
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(await unconfirmed()).toEqual([
      expect.stringMatching(/booked and only .* #1 has shown them: no other/),
    ]);
    await together();
    await settled();
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(errors).toEqual([]);
  });

  test.each(['insists on it', 'has forgotten it'])(
    'what the others deny is taken back, with an alert, when the one that reported it %s',
    async (how) => {
      const real = await paid();
      Object.assign(first!.faults, { invents: [invented(real)], balances: covered });
      await alone();
      expect(scan.standing(real.id)).toEqual(['final 3 5', 'final 3 1000']);
      if (how === 'has forgotten it') first!.faults.invents = [];
      await together();
      await eventually(real.id).toEqual(['final 3 5', 'gone 0 1000']);
      expect(errors.filter(({ msg }) => msg.includes('denied by another'))).toHaveLength(1);
      first!.mend();
      scan.clock.advance(60);
      await settled();
      expect(scan.standing(real.id)).toEqual(['final 3 5', 'gone 0 1000']);
    },
  );

  test('what the one left out is booked when it reports it as well', async () => {
    first!.faults.hides = true;
    const { id } = await paid();
    await alone();
    expect(scan.standing(id)).toEqual([]);
    first!.faults.hides = false;
    await together();
    await eventually(id).toEqual(['final 3 5']);
    await settled();
    expect(errors).toEqual([]);
  });
});

describe('with two endpoints', () => {
  beforeEach(() => open(2));

  test('what the one left out and insists on is not booked on the word of the other, and is shown', async () => {
    first!.faults.hides = true;
    const { id } = await paid();
    await alone();
    await together();
    await expect
      .poll(async () => {
        scan.clock.advance(1);
        await scan.tick();
        return await unconfirmed();
      })
      .toEqual([expect.stringMatching(/another one shows something else/)]);
    expect(scan.standing(id)).toEqual([]);
    first!.faults.hides = false;
    scan.clock.advance(3_600);
    await eventually(id).toEqual(['final 3 5']);
    await settled();
  });

  test('one whose logs come later than its blocks denies nothing', async () => {
    const { id } = await paid();
    await alone();
    second!.faults.hides = true;
    await together();
    for (let seconds = 0; seconds < 30; seconds += 10) {
      scan.clock.advance(10);
      await scan.tick();
    }
    expect(scan.reported.filter(({ state }) => state === 'gone')).toEqual([]);
    second!.faults.hides = false;
    scan.clock.advance(3_600);
    await settled();
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test('what was booked in blocks that one made up is taken back', async () => {
    const real = await paid();
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(real.id)).toEqual(['final 3 5']);
    const after = await local.client.getBlockNumber();
    first!.faults.madeUp = { after, blocks: 3_000, isFinal: true };
    const number = after + 2_000n;
    const block = (await askFirst('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])) as {
      hash: Hex;
    };
    const invents = [invented({ ...real, block: { number, hash: block.hash } })];
    Object.assign(first!.faults, { invents, balances: covered });
    for (const proxy of proxies.slice(1)) proxy.faults.dead = true;
    for (let seconds = 0; seconds < 300; seconds += 20) {
      scan.clock.advance(20);
      await scan.tick();
    }
    expect(scan.standing(real.id)).toEqual(['final 3 5', 'final 3 1000']);
    first!.mend();
    await together();
    await eventually(real.id).toEqual(['final 3 5', 'gone 0 1000']);
    const next = await paid();
    await local.mine(3);
    await eventually(next.id).toEqual(['final 3 5']);
    await settled();
  });
});

async function askFirst(method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(first!.url, { method: 'POST', body });
  return ((await response.json()) as { result: unknown }).result;
}
