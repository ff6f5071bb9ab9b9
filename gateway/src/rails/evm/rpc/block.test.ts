import { expect, test } from 'vitest';
import { headerOf } from './block.ts';
import { RpcFault } from './rpc-fault.ts';

const header = {
  number: '0x10',
  hash: `0x${'a'.repeat(64)}`,
  parentHash: `0x${'b'.repeat(64)}`,
  timestamp: '0x6b49d200',
};

test('a header has the time that the chain gave its block', () => {
  expect(headerOf(header)).toMatchObject({ number: 16n, at: new Date(0x6b49d200 * 1000) });
  expect(headerOf(null)).toBeNull();
});

test.each([undefined, null, '', '0x', 1_800_000_000, `0x${'f'.repeat(16)}`])(
  'a header with the timestamp %j is a fault of the endpoint',
  (timestamp) => {
    expect(() => headerOf({ ...header, timestamp })).toThrow(RpcFault);
  },
);
