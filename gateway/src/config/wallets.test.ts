import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

// Any file that is there.
const file = import.meta.filename;

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

test('a KYC provider needs its address and its secret together', () => {
  const url = 'https://kyc.example';
  const together = ['KYC_URL and KYC_SECRET_FILE go together'];
  expect(faultsOf({ KYC_URL: url })).toEqual(together);
  expect(faultsOf({ KYC_SECRET_FILE: file })).toEqual(together);
  expect(readConfig({ KYC_URL: url, KYC_SECRET_FILE: file }).kyc).toEqual({ url, secret: file });
});

test('withdrawals are checked as the installation or the demo does, unless it is set', () => {
  expect(readConfig({ WITHDRAWAL_CHECKS: '0' }).withdrawalChecks).toBe(false);
  expect(readConfig({ WITHDRAWAL_CHECKS: '1' }).withdrawalChecks).toBe(true);
  expect(faultsOf({ WITHDRAWAL_CHECKS: 'no' })).toEqual(['WITHDRAWAL_CHECKS must be 0 or 1']);
});

test('wallets are open where demo data may be seeded, off elsewhere, and always off with a wallet backend', () => {
  const backend = { WALLET_BACKEND_URL: 'https://wallets.example', WALLET_BACKEND_TOKEN_FILE: file };
  expect(readConfig({}).wallets).toBe('open');
  expect(readConfig({ DEMO: '0' }).wallets).toBe('off');
  expect(readConfig({ DEMO: '0', WALLETS: 'invitation' }).wallets).toBe('invitation');
  expect(readConfig({ WALLETS: 'off' }).wallets).toBe('off');
  expect(readConfig({ WALLETS: 'open', ...backend }).wallets).toBe('off');
  expect(faultsOf({ WALLETS: 'yes' })).toEqual(['WALLETS must be one of open, invitation, off']);
});
