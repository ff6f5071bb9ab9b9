import { hashTypedData, recoverTypedDataAddress } from 'viem';
import { expect, test } from 'vitest';
import { testSeal } from '../../../../test/support/fixtures.ts';
import { type PaymentRequest, requestDigest, requestWords } from './payment-request.ts';
import { requestSigner, signRequest } from './sign-request.ts';

const request: PaymentRequest = {
  chainId: 8453,
  to: '0x2158bC18268f69579527B7EE9781262ef8874155',
  asset: 'usdc-base',
  amount: '25.5',
  reference: 'order-1001',
  deadline: 1_796_000_000,
};

/** As wallets and libraries take it, and the documentation shows it. */
const typedData = ({ chainId, deadline, to, ...rest }: PaymentRequest) =>
  ({
    domain: { name: 'Florin payment request', version: '1', chainId },
    types: {
      PaymentRequest: [
        { name: 'to', type: 'address' },
        { name: 'asset', type: 'string' },
        { name: 'amount', type: 'string' },
        { name: 'reference', type: 'string' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'PaymentRequest',
    message: { ...rest, to: to as `0x${string}`, deadline: BigInt(deadline) },
  }) as const;

test('a request is hashed as EIP-712 has it, and signed by the key of the installation', async () => {
  expect(`0x${requestDigest(request).toString('hex')}`).toBe(hashTypedData(typedData(request)));
  const signature = (await signRequest(testSeal, request)) as `0x${string}`;
  const signer = await recoverTypedDataAddress({ ...typedData(request), signature });
  expect(signer).toBe(await requestSigner(testSeal));
});

test('four words are made of all of it but the deadline', () => {
  const { deadline: _, ...known } = request;
  const words = requestWords(known);
  expect(words).toMatch(/^[bdfghjklmnprstvz][aiou][a-z ]{21}$/);
  expect(words.split(' ').map((word) => word.length)).toEqual([5, 5, 5, 5]);
  const others: Partial<PaymentRequest>[] = [
    { chainId: 56 },
    { to: '0x90df07a377585Af9bf39438Afd57c720A73535B5' },
    { asset: 'usdc-erc20' },
    { amount: '25.6' },
    { reference: 'order-1002' },
  ];
  const made = others.map((each) => requestWords({ ...known, ...each }));
  expect(new Set([words, ...made]).size).toBe(6);
  // Letters in another case are the same address.
  expect(requestWords({ ...known, to: known.to.toLowerCase() })).toBe(words);
});
