import { expect, test } from 'vitest';
import { faultOfServers, inDatabase, serversOf } from './servers.ts';

const several =
  'postgres://app:p%40ss@one:5432,[::1]:5433,three/florin?target_session_attrs=read-write&sslmode=require';

test('an address with several servers is that of each', () => {
  expect(serversOf(several)).toEqual([
    'postgres://app:p%40ss@one:5432/florin?sslmode=require',
    'postgres://app:p%40ss@[::1]:5433/florin?sslmode=require',
    'postgres://app:p%40ss@three/florin?sslmode=require',
  ]);
});

test.each([
  'postgres://app@one:5432/florin',
  'postgresql:///florin?host=/var/run/postgresql',
  // A comma in a password or a path names no servers.
  'postgres://app:a,b@one/florin',
  'postgres://one/flo,rin',
])('%s is one server, as it is', (address) => {
  expect(serversOf(address)).toEqual([address]);
});

test.each([
  ['postgres://one:5432,/florin', 'must name each server as host:port, with commas between them'],
  ['postgres://one:x,two/florin', 'must name each server as host:port, with commas between them'],
  [
    'postgres://one,two/florin?target_session_attrs=standby',
    'must have target_session_attrs=read-write, or none',
  ],
])('%s %s', (address, fault) => {
  expect(faultOfServers(address)).toBe(fault);
});

test('another database of the same servers has the rest of their address', () => {
  expect(serversOf(inDatabase(several, 'copy'))).toEqual(
    serversOf(several).map((each) => each.replace('/florin', '/copy')),
  );
  expect(inDatabase('postgres://app@one:5432/florin?sslmode=require', 'copy')).toBe(
    'postgres://app@one:5432/copy?sslmode=require',
  );
});
