import { expect, test } from 'vitest';
import { accounts, startChain } from '../../../../test/chain/chain.ts';
import { createEndpoints } from './endpoints.ts';
import { holdsCode } from './holds-code.ts';

test('an address with a contract is told from that of a person, also of one who lets code act for them', async () => {
  const chain = await startChain();
  const endpoints = createEndpoints({ chain: { id: chain.id, rpcUrls: [chain.rpcUrl], blockSeconds: 1 } });
  const { payer, treasury } = accounts;
  expect(await holdsCode(endpoints, chain.tokens['usdc-bep20']!.address)).toBe(true);
  expect(await holdsCode(endpoints, payer.address)).toBe(false);
  const code = `0xef0100${'11'.repeat(20)}` as const;
  await chain.client.setCode({ address: treasury.address, bytecode: code });
  expect(await holdsCode(endpoints, treasury.address)).toBe(false);
  await endpoints.close();
});

test('of a chain that does not answer it is not known', async () => {
  const endpoints = createEndpoints({ chain: { id: 1, rpcUrls: ['http://127.0.0.1:1'], blockSeconds: 1 } });
  expect(await holdsCode(endpoints, `0x${'11'.repeat(20)}`)).toBeNull();
  await endpoints.close();
});
