import type { EvmTarget } from '../../src/rails/rail.ts';

/** What browser wallets are told of a chain: a slow one, a fast one with 18 decimals, and the demo's. */
export const base: EvmTarget = {
  chainId: 8453,
  chainName: 'Base',
  token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  scale: 6,
  nativeSymbol: 'ETH',
  confirmations: 600,
  blockSeconds: 2,
  publicRpcUrl: 'https://mainnet.base.example',
  explorer: 'https://explorer.example',
};

export const bnbChain: EvmTarget = {
  ...base,
  chainId: 56,
  chainName: 'BNB Smart Chain',
  token: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  scale: 18,
  nativeSymbol: 'BNB',
  confirmations: 3,
  blockSeconds: 0.45,
};

export const demoChain: EvmTarget = {
  ...bnbChain,
  chainId: 31337,
  chainName: 'Florin demo chain',
  nativeSymbol: 'ETH',
  publicRpcUrl: 'http://127.0.0.1:8545',
  explorer: null,
  faucet: true,
};
