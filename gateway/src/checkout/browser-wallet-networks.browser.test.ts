import { afterEach, describe, expect, test } from 'vitest';
import { startWalletPages } from '../../test/browser/wallet-pages.ts';

const { chain, payment, open, page, button, words } = await startWalletPages();
afterEach(() => page().context().close());

describe('a browser wallet', () => {
  // As MetaMask on a phone, WalletConnect and others have said it.
  const unknown: Record<string, unknown> = {
    'an inner code': {
      code: -32603,
      message: 'Unrecognized chain ID',
      data: { originalError: { code: 4902 } },
    },
    'no inner code': { code: -32603, message: 'Unrecognized chain ID "0x7a69". Try adding the chain first.' },
    'a positive code': { code: 32603, message: 'Invalid chainId' },
    'the code of a server': { code: -32000, message: 'Chain 31337 is not supported' },
    'words alone': 'Chain not configured',
    'rejecting the request': { code: -32603, message: 'Request rejected: chain 31337 is not added yet' },
    'the code of a question that waits': { code: -32002, message: 'Resource unavailable: unknown network' },
  };
  test.each(Object.keys(unknown))('that says by %s that it does not know it is asked too', async (how) => {
    const [wallet] = await open(payment(), {});
    wallet!.chains.delete(chain.id);
    Object.assign(wallet!, { chainId: 1, unknownChain: unknown[how] });
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting');
    expect(wallet!.asked).toContain('wallet_addEthereumChain');
  });

  test.each([
    { code: 4001, message: 'Unrecognized', data: { originalError: { code: 4902 } } },
    { code: -32603, message: 'User rejected the request.', data: { originalError: { code: 4001 } } },
    { code: -32603, message: 'The user denied to switch the chain' },
    { code: 5000, message: 'User disapproved' },
    { code: -32603, message: 'An unknown error occurred: the request was cancelled' },
  ])('is asked nothing more by its owner’s refusal to switch: %j', async (declined) => {
    const [wallet] = await open(payment(), {});
    Object.assign(wallet!, {
      chainId: 1,
      declined,
      decide: async (question: string) => (question === 'switch' ? 'decline' : 'approve'),
    });
    await button('Pay with Test Wallet').click();
    await words('You declined it in your wallet. Nothing was sent.');
    expect(wallet!.asked).not.toContain('wallet_addEthereumChain');
  });

  test('that cannot add a network either is told which one to choose', async () => {
    const [wallet] = await open(payment(), {});
    wallet!.chains.delete(chain.id);
    Object.assign(wallet!, { chainId: 1, unknownChain: { code: -32601, message: 'no such method' } });
    wallet!.decide = async (question) => {
      if (question === 'add') throw Object.assign(new Error('no such method'), { code: -32601 });
      return 'approve';
    };
    await button('Pay with Test Wallet').click();
    await words(`Choose Florin demo chain (chain ${chain.id}) in your wallet, or add it there`);
  });
});
