import { describe, expect, test } from 'vitest';
import { PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { type EvmDestination, isEvm, transferUri, walletLinks } from './eip681.ts';

const destinationOf = (name: 'linked' | 'part-paid' | 'linked-demo'): EvmDestination => {
  const [destination] = PAYMENTS[name].destinations;
  if (!isEvm(destination)) throw new Error('The fixture is not on an EVM chain');
  return destination;
};

/** Reads a request of ERC-681 by its grammar, as a wallet does. */
function decoded(request: string) {
  const [, contract, chain, call, query = ''] = /^(0x[\da-fA-F]{40})@(\d+)\/(\w+)\?(.*)$/.exec(request) ?? [];
  return { contract, chain: Number(chain), call, ...Object.fromEntries(new URLSearchParams(query)) };
}

describe.each([
  ['linked', 8453, '25500000'],
  ['part-paid', 8453, '15250000'],
  ['linked-demo', 31337, '25500000000000000001'],
] as const)('the link of %s', (name, chain, uint256) => {
  const destination = destinationOf(name);
  const call = {
    contract: destination.evm.token,
    chain,
    call: 'transfer',
    address: destination.address,
    uint256,
  };

  test('asks for a transfer of the exact units by the token of that chain, to the deposit address', () => {
    const [scheme, request = ''] = transferUri(destination).split(/:(.*)/s);
    expect([scheme, decoded(request)]).toEqual(['ethereum', call]);
  });

  test('says the same to MetaMask', () => {
    const href = walletLinks(destination).find(({ wallet }) => wallet === 'MetaMask')?.href ?? '';
    const [, request = ''] = href.split('https://link.metamask.io/send/');
    expect(decoded(request)).toEqual(call);
  });
});

test('Trust Wallet reads token and amount by its own numbers of chains, and has no link for one it does not know', () => {
  const linksOf = (chainId: number) => {
    const { evm, ...rest } = destinationOf('linked');
    const links = walletLinks({ ...rest, evm: { ...evm, chainId } });
    return links.filter(({ wallet }) => wallet === 'Trust Wallet').map(({ href }) => new URL(href));
  };
  const { address, evm } = destinationOf('linked');
  for (const [chainId, coin] of [
    [1, 60],
    [56, 20000714],
    [137, 966],
    [8453, 8453],
  ] as const) {
    const [url] = linksOf(chainId);
    expect([url?.origin, url?.pathname]).toEqual(['https://link.trustwallet.com', '/send']);
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      asset: `c${coin}_t${evm.token}`,
      address,
      amount: '25.5',
    });
  }
  expect(linksOf(31337)).toEqual([]);
});
