import { expect, test } from 'vitest';
import { isAddress, withPassword } from './addresses.ts';

test.each([
  ['postgres://db.internal/florin', true],
  ['postgresql:///florin?host=%2Frun%2Fpostgresql', true],
  ['postgres://florin:secret@one:5432,two:5432/florin', true],
  ['postgres://one,,two/florin', false],
  ['postgres://one:port/florin', false],
  ['mysql://db.internal/florin', false],
])('whether %s is the address of a server: %j', (text, answer) => {
  expect(isAddress(text)).toBe(answer);
});

test.each([
  [
    'postgres://florin:s%40c:ret@db:5432/florin',
    'postgres://florin:PASSWORD@db:5432/florin',
    'postgres://florin@db:5432/florin',
  ],
  [
    'postgres://florin:secret@one:1,two:2/florin',
    'postgres://florin:PASSWORD@one:1,two:2/florin',
    'postgres://florin@one:1,two:2/florin',
  ],
  [
    'postgres://db:5432/florin?user=a&password=b&c=d',
    'postgres://db:5432/florin?user=a&password=PASSWORD&c=d',
    'postgres://db:5432/florin?user=a&password=&c=d',
  ],
  [
    'postgres://florin@db:5432/florin',
    'postgres://florin@db:5432/florin',
    'postgres://florin@db:5432/florin',
  ],
])('%s is shown without its password', (address, masked, without) => {
  expect([withPassword(address, 'PASSWORD'), withPassword(address, '')]).toEqual([masked, without]);
});
