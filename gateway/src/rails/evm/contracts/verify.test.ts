import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { accounts, startChain } from '../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../test/chain/rpc-proxy.ts';
import { type Asked, startRpcServer } from '../../../../test/chain/rpc-server.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { factoryAddress } from '../addresses/forwarders.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { createEndpoints } from '../rpc/endpoints.ts';
import { createVerifier } from './verify.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18, 'usdt-bep20': 6 } });
const bare = await startChain({ assets: { 'usdc-bep20': 18 }, withFactory: false, chainId: 31338 });
const { db } = await testDatabase();
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains');
});

/** A verifier with a clock that is moved by hand, and what it wrote to the log. */
function verifierOf(config: ChainConfig) {
  const lines: string[] = [];
  const clock = { at: new Date('2026-01-01T00:00:00Z') };
  const verify = createVerifier({
    db,
    chain: config,
    endpoints: createEndpoints({ chain: config, timeoutMs: 2_000 }),
    now: () => clock.at,
    log: pino({}, { write: (line) => lines.push(line) }),
  });
  return {
    verify,
    lines,
    later: (seconds: number) => {
      clock.at = new Date(clock.at.getTime() + seconds * 1000);
    },
  };
}

async function found(chainId = chain.id) {
  const { rows } = await db.query<{
    is_verified: boolean;
    verified_assets: string[];
    faults: { code: string; message: string }[];
  }>(
    `SELECT verified_at IS NOT NULL AS is_verified, verified_assets, faults FROM evm_chains
     WHERE chain_id = $1`,
    [chainId],
  );
  return rows[0];
}

const withToken = (asset: string, changes: object): ChainConfig => {
  const config = chain.config();
  return {
    ...config,
    tokens: config.tokens.map((token) => (token.asset === asset ? { ...token, ...changes } : token)),
  };
};

describe('the contracts of a chain', () => {
  test('are good when the factory is ours and each token is as configured', async () => {
    const { verify, lines } = verifierOf(chain.config());
    await verify();
    expect(await found()).toEqual({
      is_verified: true,
      verified_assets: ['usdc-bep20', 'usdt-bep20'],
      faults: [],
    });
    expect(lines).toHaveLength(1);
  });

  test.each([
    ['has other decimals', { scale: 18 }, /has 6 decimals, and 18 are configured/],
    ['has another symbol', { symbol: 'USDX' }, /has the symbol "USDT", and "USDX" is configured/],
    ['is an account', { address: accounts.stranger.address.toLowerCase() }, /there is no token/],
    ['is another contract', { address: '0x4e59b44847b379578588920ca78fbf26c0b4956c' }, /there is no token/],
  ])('are offered without a token that %s', async (_, changes, message) => {
    const { verify, lines } = verifierOf(withToken('usdt-bep20', changes));
    await verify();
    expect(await found()).toMatchObject({
      is_verified: true,
      verified_assets: ['usdc-bep20'],
      faults: [{ code: 'wrong_token', message: expect.stringMatching(message) }],
    });
    expect(lines.join()).toMatch(/contracts are not as configured/);
  });

  test.each([0, 31, 33, 63, 64])(
    'are reported wrong where a symbol is %i bytes that say nothing',
    async (bytes) => {
      const decimals = `0x${'12'.padStart(64, '0')}`;
      const { url } = await startRpcServer((body) => {
        const { id, method, params } = body as Asked;
        const isSymbol = (params[0] as { data?: string } | undefined)?.data === '0x95d89b41';
        const result = isSymbol ? `0x${'ff'.repeat(bytes)}` : decimals;
        return { body: { jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x7a69' : result } };
      });
      const { verify } = verifierOf({ ...withToken('usdt-bep20', { scale: 18 }), rpcUrls: [url] });
      await verify();
      const { faults } = (await found())!;
      expect(faults.map(({ code }) => code)).toEqual(['wrong_factory', 'wrong_token', 'wrong_token']);
    },
  );

  test('need no factory where addresses are derived from an extended key', async () => {
    const { verify } = verifierOf(bare.config({ receiving: { kind: 'xpub', xpub: 'xpub' } }));
    await verify();
    expect(await found(bare.id)).toMatchObject({ is_verified: true, faults: [] });
  });

  test('are not offered before the factory is deployed, and not with another contract in its place', async () => {
    const { verify, later, lines } = verifierOf(bare.config());
    const codeAt = async (address: Hex) => (await chain.client.getCode({ address }))!;
    await verify();
    later(11);
    await verify();
    expect(await found(bare.id)).toMatchObject({ is_verified: false, faults: [{ code: 'no_factory' }] });
    expect(lines).toHaveLength(1);

    const another = await codeAt(chain.tokens['usdc-bep20']!.address);
    await bare.client.setCode({ address: factoryAddress, bytecode: another });
    later(11);
    await verify();
    expect(await found(bare.id)).toMatchObject({ is_verified: false, faults: [{ code: 'wrong_factory' }] });

    await bare.client.setCode({ address: factoryAddress, bytecode: await codeAt(factoryAddress) });
    later(11);
    await verify();
    expect(await found(bare.id)).toMatchObject({ is_verified: true, faults: [] });
    expect(lines).toHaveLength(3);
  });

  test('are forgotten when the configuration asks for others, though no endpoint can be asked now', async () => {
    await verifierOf(chain.config()).verify();
    const other = { ...withToken('usdt-bep20', { scale: 18 }), rpcUrls: ['http://127.0.0.1:9'] };
    await verifierOf(other).verify();
    expect(await found()).toMatchObject({ is_verified: false, verified_assets: [] });
  });

  test('stay as they were found while no endpoint answers, over a restart too', async () => {
    await verifierOf(chain.config()).verify();
    await verifierOf(chain.config({ rpcUrls: ['http://127.0.0.1:9'] })).verify();
    expect(await found()).toMatchObject({ is_verified: true });
  });

  test('are looked at again after an hour, and not before', async () => {
    const proxy = await startRpcProxy(chain.rpcUrl);
    const { verify, later } = verifierOf(chain.config({ rpcUrls: [proxy.url] }));
    await verify();
    const before = proxy.asked.exchanges;
    later(3599);
    await verify();
    expect(proxy.asked.exchanges).toBe(before);
    later(1);
    await verify();
    expect(proxy.asked.exchanges).toBeGreaterThan(before);
  });
});
