import { describe, expect, test } from 'vitest';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { startChain } from '../gateway/test/chain/chain.ts';
import { deployOddToken, type OddKind, type OddToken } from '../gateway/test/chain/test-tokens.ts';
import {
  deployVault,
  reasonOf,
  signer,
  type TestPayout,
  vaultCall,
} from '../gateway/test/chain/vault-fixtures.ts';
import { freshAddress, nativeCoin } from './test/fixtures.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const { client } = chain;
const usdc = chain.tokens['usdc-bep20']!;
const vault = await deployVault(chain);

let lastId = 0n;
function payout(amount: bigint, to: Hex = freshAddress()): TestPayout {
  lastId += 1n;
  return { id: lastId, to, amount };
}

/** A token of which the vault has plenty, and may pay out 1,000 a day. */
async function stocked(kind: OddKind): Promise<OddToken> {
  const token = await deployOddToken(chain, kind, { asset: kind });
  await token.mint(vault.address, 10n ** 9n);
  await vault.call('setLimit', [token.address, 1_000n]);
  return token;
}

const failed = reasonOf('TransferFailed');
const none = '0xffffffff';

/** Which of them were paid, by the events. */
async function paid(token: Hex, payouts: TestPayout[]): Promise<boolean[]> {
  const { logs, succeeded } = await vault.pay(token, payouts);
  expect(succeeded).toBe(true);
  return payouts.map(({ id }) => logs.some((log) => log.id === id && log.name === 'Paid'));
}

describe('a token', () => {
  test('that answers nothing pays', async () => {
    const token = await stocked('SilentToken');
    const one = payout(3n);
    expect(await paid(token.address, [one])).toEqual([true]);
    expect(await token.balanceOf(one.to)).toBe(3n);
    const to = freshAddress();
    await vault.call('take', [token.address, to, 5n]);
    expect(await token.balanceOf(to)).toBe(5n);
  });

  test.each([
    ['false', `0x${'0'.repeat(64)}`],
    ['a 2', `0x${'2'.padStart(64, '0')}`],
    ['too few bytes', '0x01'],
  ])('that answers %s is refused, and pays the same id when it answers true', async (_, answer) => {
    const token = await stocked('AnsweringToken');
    const both = [payout(3n), payout(4n)];
    await token.call('refuseWith', answer);
    expect(await vault.reasons(token.address, both)).toEqual([failed, failed]);
    expect(await paid(token.address, both)).toEqual([false, false]);
    expect(await vault.read('limitOf', token.address)).toEqual([1_000n, 1_000n]);
    await token.call('accept');
    expect(await paid(token.address, both)).toEqual([true, true]);
  });

  test('that is paused pays nothing, and all of it later', async () => {
    const token = await stocked('PausableToken');
    const both = [payout(3n), payout(4n)];
    await token.call('pause', true);
    expect(await paid(token.address, both)).toEqual([false, false]);
    await token.call('pause', false);
    expect(await paid(token.address, both)).toEqual([true, true]);
  });

  test('that bars one receiver holds back that one alone', async () => {
    const token = await stocked('BlacklistingToken');
    const three = [payout(3n), payout(4n), payout(5n)];
    await token.call('bar', three[1]!.to, true);
    expect(await vault.reasons(token.address, three)).toEqual([none, failed, none]);
    expect(await paid(token.address, three)).toEqual([true, false, true]);
    expect(await vault.read('isPaid', three[1]!.id)).toBe(false);
    expect(await vault.read('limitOf', token.address)).toEqual([1_000n, 992n]);
  });

  test.each(['HonestFeeToken', 'LyingFeeToken'] as const)(
    'that keeps a fee moves nothing: %s',
    async (kind) => {
      const token = await stocked(kind);
      const one = payout(500n);
      expect(await paid(token.address, [one])).toEqual([false]);
      expect([await token.balanceOf(one.to), await token.balanceOf(vault.address)]).toEqual([0n, 10n ** 9n]);
      expect(await vault.read('limitOf', token.address)).toEqual([1_000n, 1_000n]);
    },
  );

  test.each([
    ['at once', false],
    ['by an endless answer', true],
  ])('that burns %s all gas for one receiver is not missed by those after it', async (_, isEndless) => {
    const token = await stocked('BurningToken');
    const three = [payout(3n), payout(4n), payout(5n)];
    await token.call('burnFor', three[0]!.to, isEndless);
    const { logs } = await vault.pay(token.address, three, { gas: 3_500_000n });
    expect(logs.map(({ name }) => name)).toEqual(['Refused', 'Paid', 'Paid']);
  });

  test('that is none, or the native coin, or that would pay the vault itself, is refused', async () => {
    for (const token of [freshAddress(), nativeCoin, vault.address]) {
      await vault.call('setLimit', [token, 1_000n]);
      expect(await paid(token, [payout(1n)])).toEqual([false]);
    }
    await usdc.mint(vault.address, 10n);
    await vault.call('setLimit', [usdc.address, 1_000n]);
    expect(await paid(usdc.address, [payout(1n, vault.address)])).toEqual([false]);
  });
});

describe('a token that calls back', () => {
  test('pays nothing twice, and nothing that is not counted, even if it is the signer', async () => {
    const token = await stocked('ReentrantToken');
    await vault.call('setSigner', [token.address]);
    const asToken = { from: token.address };
    await client.impersonateAccount({ address: token.address });
    await client.setBalance({ address: token.address, value: 10n ** 18n });
    const to = freshAddress();
    const nested = (inner: TestPayout) => vaultCall('pay', token.address, [inner]);

    const same = payout(100n, to);
    await token.call('callBack', vault.address, nested(same));
    await vault.pay(token.address, [same], asToken);
    expect(await token.balanceOf(to)).toBe(100n);

    // The receiver got more than the amount: both are undone.
    const [outer, inner] = [payout(100n, to), payout(50n, to)];
    await token.call('callBack', vault.address, nested(inner));
    await vault.pay(token.address, [outer], asToken);
    expect(await token.balanceOf(to)).toBe(100n);
    expect([await vault.read('isPaid', outer.id), await vault.read('isPaid', inner.id)]).toEqual([
      false,
      false,
    ]);

    const [first, second] = [payout(600n), payout(600n)];
    await token.call('callBack', vault.address, nested(second));
    await vault.pay(token.address, [first], asToken);
    expect([await token.balanceOf(first.to), await token.balanceOf(second.to)]).toEqual([600n, 0n]);
    expect(await vault.read('limitOf', token.address)).toEqual([1_000n, 300n]);

    await token.call('callBack', vault.address, vaultCall('payOne', token.address, payout(1n, to), false));
    await vault.pay(token.address, [payout(1n, to)], asToken);
    expect(await token.balanceOf(to)).toBe(101n);
    await vault.call('setSigner', [signer]);
  });
});

describe('the gas of a batch', () => {
  test.each(['PlainToken', 'HeavyToken'] as const)(
    'as a node estimates it is enough for a %s, and with less all of it is undone',
    async (kind) => {
      const token = await stocked(kind);
      const payouts = [payout(1n), payout(2n), payout(3n)];
      const data = vaultCall('pay', token.address, payouts);
      const gas = await client.estimateGas({ account: signer, to: vault.address, data });
      for (const share of [20n, 40n, 60n, 75n, 85n, 95n]) {
        const outcome = await vault.pay(token.address, payouts, { gas: (gas * share) / 100n });
        expect(outcome).toMatchObject({ succeeded: false, logs: [] });
      }
      expect(await vault.pay(token.address, payouts, { gas })).toMatchObject({ succeeded: true });
      expect(await token.balanceOf(payouts[2]!.to)).toBe(3n);
    },
  );
});
