import { encodeFunctionData } from 'viem';
import { compiled } from '../../../scripts/contracts.ts';
import type { ChainToken } from '../../src/rails/evm/config/chains.ts';
import { accounts, type TestChain, type TestToken } from './chain.ts';

/** The tokens of `contracts/test/OddTokens.sol`, which says what is odd about each. */
export type OddKind =
  | 'PlainToken'
  | 'SilentToken'
  | 'AnsweringToken'
  | 'PausableToken'
  | 'BlacklistingToken'
  | 'HonestFeeToken'
  | 'LyingFeeToken'
  | 'ReentrantToken'
  | 'BurningToken'
  | 'HeavyToken';

export type OddToken = TestToken & {
  /** Calls what only its kind has, `pause` or `bar` for two, and waits until it is mined. */
  call(functionName: string, ...args: unknown[]): Promise<void>;
};

/**
 * Deploys a token that is odd in one way, of which the payer has plenty. It joins `chain.tokens` as `asset`, so
 * that `config()` and `entry()` list it from then on.
 */
export async function deployOddToken(
  chain: TestChain,
  kind: OddKind,
  { asset = 'usdc-bep20', scale = 18 }: { asset?: string; scale?: number } = {},
): Promise<OddToken> {
  const { abi, bytecode } = (await compiled('test/OddTokens.sol'))[kind]!;
  const symbol = asset.split('-')[0]!.toUpperCase();
  const address = await chain.deploy(abi, bytecode, [symbol, scale]);
  const listed: ChainToken = { asset, address, scale, symbol };
  const token: OddToken = {
    ...chain.tokenAt(listed, abi),
    call: async (functionName, ...args) => {
      const data = encodeFunctionData({ abi, functionName, args } as never);
      const { status } = await chain.mined(await chain.transact(accounts.deployer, address, data));
      if (status !== 'success') throw new Error(`${kind}.${functionName} reverted`);
    },
  };
  await token.mint(accounts.payer.address, 10n ** BigInt(scale + 9));
  chain.tokens[asset] = token;
  return token;
}
