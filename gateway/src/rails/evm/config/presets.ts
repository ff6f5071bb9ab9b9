import type { ChainConfig, ChainToken, Hex } from './chains.ts';

/** Facts about a public chain that operators need not look up. */
export type ChainPreset = Pick<
  ChainConfig,
  | 'name'
  | 'finality'
  | 'confirmations'
  | 'blockSeconds'
  | 'nativeSymbol'
  | 'publicRpcUrl'
  | 'explorer'
  | 'tokens'
> & {
  /** A test network: its facts hold for entries of test mode alone. */
  isTest?: true;
  /** Far above what gas ever costs there, and far below what would empty a gas key: an endpoint may name any price. */
  maxGasPriceGwei: number;
};

const token = (asset: string, address: Hex, scale: number): ChainToken => ({
  asset,
  address: address.toLowerCase() as Hex,
  scale,
  // Bridged tokens have symbols of their own, such as USDT on Base and Polygon.
  symbol: null,
});

/** The chains of the built-in assets, by chain id. */
export const chainPresets: Readonly<Record<number, ChainPreset>> = {
  1: {
    name: 'Ethereum',
    finality: 'finalized',
    confirmations: 64,
    blockSeconds: 12,
    maxGasPriceGwei: 200,
    nativeSymbol: 'ETH',
    publicRpcUrl: 'https://ethereum-rpc.publicnode.com',
    explorer: 'https://etherscan.io',
    tokens: [
      token('usdc-erc20', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6),
      token('usdt-erc20', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 6),
    ],
  },
  56: {
    name: 'BNB Smart Chain',
    finality: 'finalized',
    confirmations: 3,
    blockSeconds: 0.45,
    maxGasPriceGwei: 10,
    nativeSymbol: 'BNB',
    publicRpcUrl: 'https://bsc-dataseed.bnbchain.org',
    explorer: 'https://bscscan.com',
    tokens: [
      token('usdc-bep20', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 18),
      token('usdt-bep20', '0x55d398326f99059fF775485246999027B3197955', 18),
    ],
  },
  137: {
    name: 'Polygon',
    finality: 'finalized',
    confirmations: 16,
    blockSeconds: 2,
    maxGasPriceGwei: 1000,
    nativeSymbol: 'POL',
    publicRpcUrl: 'https://polygon-rpc.com',
    explorer: 'https://polygonscan.com',
    tokens: [
      token('usdc-polygon', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 6),
      token('usdt-polygon', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', 6),
    ],
  },
  8453: {
    name: 'Base',
    finality: 'finalized',
    confirmations: 600,
    blockSeconds: 2,
    maxGasPriceGwei: 10,
    nativeSymbol: 'ETH',
    publicRpcUrl: 'https://mainnet.base.org',
    explorer: 'https://basescan.org',
    tokens: [token('usdc-base', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 6)],
  },
  97: {
    name: 'BNB Smart Chain Testnet',
    isTest: true,
    finality: 'finalized',
    confirmations: 3,
    blockSeconds: 0.75,
    maxGasPriceGwei: 100,
    nativeSymbol: 'tBNB',
    publicRpcUrl: 'https://bsc-testnet-rpc.publicnode.com',
    explorer: 'https://testnet.bscscan.com',
    tokens: [
      token('usdc-bsc-testnet', '0x64544969ed7EBf5f083679233325356EbE738930', 18),
      token('usdt-bsc-testnet', '0x337610d27c682E347C9cD60BD4b3b107C9d34dDd', 18),
    ],
  },
  80002: {
    name: 'Polygon Amoy',
    isTest: true,
    finality: 'finalized',
    confirmations: 16,
    blockSeconds: 2,
    maxGasPriceGwei: 1000,
    nativeSymbol: 'POL',
    publicRpcUrl: 'https://rpc-amoy.polygon.technology',
    explorer: 'https://amoy.polygonscan.com',
    tokens: [token('usdc-amoy', '0x41e94eb019c0762f9bfcf9fb1e58725bfb0e7582', 6)],
  },
  84532: {
    name: 'Base Sepolia',
    isTest: true,
    finality: 'finalized',
    confirmations: 600,
    blockSeconds: 2,
    maxGasPriceGwei: 100,
    nativeSymbol: 'ETH',
    publicRpcUrl: 'https://sepolia.base.org',
    explorer: 'https://sepolia.basescan.org',
    tokens: [token('usdc-base-sepolia', '0x036CbD53842c5426634e7929541eC2318f3dCF7e', 6)],
  },
};
