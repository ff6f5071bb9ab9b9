import { expect, test } from 'vitest';
import { builtinAssets, builtinDefaults, createAssets, currencies, fineScale, isCurrency } from './assets.ts';

const assets = createAssets();

test('every asset code of the contract is known', () => {
  expect(assets.all.map(({ code }) => code)).toEqual([
    'pi',
    'usdc-erc20',
    'usdt-erc20',
    'usdc-bep20',
    'usdt-bep20',
    'usdc-base',
    'usdc-polygon',
    'usdt-polygon',
    'csk-bep20',
  ]);
});

test('a bare currency means its default network', () => {
  expect(assets.find('usdt')?.code).toBe('usdt-erc20');
  expect(assets.find('csk')?.code).toBe('csk-bep20');
  expect(assets.find('pi')?.code).toBe('pi');
  expect(assets.defaultOf('USDC').code).toBe('usdc-erc20');
});

test('the operator chooses the default network', () => {
  const chosen = createAssets(builtinAssets, { ...builtinDefaults, USDT: 'usdt-bep20' });
  expect(chosen.find('usdt')?.code).toBe('usdt-bep20');
  expect(chosen.defaultOf('USDT').scale).toBe(18);
});

test('a default that is not configured is an error at the start', () => {
  expect(() => createAssets(builtinAssets, { ...builtinDefaults, PI: 'pi-testnet' })).toThrow('pi-testnet');
});

test('upper-case, unknown and odd codes are not assets', () => {
  for (const code of ['PI', 'USDT', 'usdt-trc20', '', 'constructor', '__proto__']) {
    expect(assets.find(code)).toBeUndefined();
  }
  expect(() => assets.get('usdt-trc20')).toThrow('usdt-trc20');
});

test("a currency's assets are those on all of its networks", () => {
  expect(assets.ofCurrency('USDT').map(({ code }) => code)).toEqual([
    'usdt-erc20',
    'usdt-bep20',
    'usdt-polygon',
  ]);
});

test('no asset has more decimals than the scale at which assets are added up', () => {
  for (const { scale } of assets.all) expect(scale).toBeLessThanOrEqual(fineScale);
});

test('only the four upper-case names are currencies', () => {
  expect(currencies).toEqual(['PI', 'USDC', 'USDT', 'CSK']);
  for (const value of ['usdt', 'toString', '', null, 5, ['PI']]) expect(isCurrency(value)).toBe(false);
});
