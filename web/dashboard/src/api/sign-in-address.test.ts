import { expect, test } from 'vitest';
import { isDoor, readSignInSearch, signInAddress } from './sign-in-address.ts';

test('the address of the sign-in page says where to go afterwards, and is read as it was written', () => {
  const search = {
    next: '/i/1/test/payments?q=a&open=b',
    email: 'ada@lumen.example',
    done: 'password',
  } as const;
  const address = signInAddress(search);
  expect(address).toMatch(/^\/app\/sign-in\?next=%2Fi%2F1/);
  const { searchParams } = new URL(address, 'http://florin.test');
  expect(readSignInSearch(Object.fromEntries(searchParams))).toEqual(search);
  expect(signInAddress()).toBe('/app/sign-in');
});

test.each(['//elsewhere.example', '/\\elsewhere.example', 'https://elsewhere.example', 'account'])(
  'a sign-in does not lead to %s',
  (next) => {
    expect(readSignInSearch({ next })).toEqual({});
  },
);

test('pages for people without a session are known by their paths', () => {
  const paths = ['/sign-up', '/invitation/token', '/reset-password', '/second-factor', '/verify-email'];
  expect(paths.filter(isDoor)).toEqual(paths);
  expect(['/', '/account', '/sign-upwards', '/m/sign-up'].filter(isDoor)).toEqual([]);
});
