import { expect, test } from 'vitest';
import { sendByBrowser } from './sign-by-browser.ts';

const own = '0xA1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1';
const transfer = { chain_id: 8453, token: `0x${'cc'.repeat(20)}`, from: own, data: '0xa9059cbb00' };

/** A wallet that answers by method, and what it was asked. */
function walletOf(answers: Record<string, unknown>) {
  const asked: { method: string; params?: unknown[] }[] = [];
  const request = async (call: { method: string; params?: unknown[] }): Promise<unknown> => {
    asked.push(call);
    const answer = answers[call.method];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { wallet: { request }, asked };
}
const declined = Object.assign(new Error('no'), { code: 4001 });

test('a transfer is sent out of the own address, on its chain, with no native coin', async () => {
  const { wallet, asked } = walletOf({ eth_requestAccounts: [own.toLowerCase()], eth_chainId: '0x1' });
  expect(await sendByBrowser(wallet, transfer)).toBeNull();
  expect(asked.slice(2)).toEqual([
    { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2105' }] },
    {
      method: 'eth_sendTransaction',
      params: [{ from: own, to: transfer.token, data: transfer.data, value: '0x0', chainId: '0x2105' }],
    },
  ]);
});

test.each([
  ['account', { eth_requestAccounts: [`0x${'b2'.repeat(20)}`] }],
  ['account', { eth_requestAccounts: [] }],
  ['declined', { eth_requestAccounts: declined }],
  ['declined', { eth_requestAccounts: [own], eth_chainId: '0x2105', eth_sendTransaction: declined }],
  [
    'chain',
    { eth_requestAccounts: [own], eth_chainId: '0x1', wallet_switchEthereumChain: new Error('unknown') },
  ],
])('nothing is sent: %s', async (why, answers) => {
  const { wallet, asked } = walletOf(answers);
  expect(await sendByBrowser(wallet, transfer)).toBe(why);
  const sent = asked.filter(({ method }) => method === 'eth_sendTransaction');
  expect(sent.length).toBe('eth_sendTransaction' in answers ? 1 : 0);
});
