import { expect, test } from 'vitest';
import { type Channel, createPeer } from './process-calls.ts';

type Far = {
  twice(value: bigint): Promise<bigint>;
  fail(): Promise<void>;
  wait(): Promise<never>;
};

/** Two ends of one channel; each message is cloned, as between processes. */
function channels(): [Channel, Channel] {
  const listeners: ((message: unknown) => void)[] = [() => {}, () => {}];
  const end = (own: number, other: number): Channel => ({
    send: (message) => queueMicrotask(() => listeners[other]?.(structuredClone(message))),
    onMessage: (listener) => {
      listeners[own] = listener;
    },
  });
  return [end(0, 1), end(1, 0)];
}

function joined() {
  const [one, other] = channels();
  createPeer(other, {
    twice: async (value: bigint) => value * 2n,
    fail: async () => {
      throw new Error('no coins left');
    },
    wait: () => new Promise(() => {}),
  });
  return createPeer<Far>(one, {});
}

test('a call is answered with what the other process returns, or rejects with its error', async () => {
  const peer = joined();
  expect(await Promise.all([peer.call('twice', 4n), peer.call('twice', 5n)])).toEqual([8n, 10n]);
  await expect(peer.call('fail', undefined as never)).rejects.toThrow('no coins left');
});

test('what waits when the other process ends is rejected, and what is called later', async () => {
  const peer = joined();
  const waiting = peer.call('wait', undefined as never);
  peer.end();
  await expect(waiting).rejects.toThrow('ended');
  await expect(peer.call('twice', 1n)).rejects.toThrow('ended');
});

test('an unknown call rejects', async () => {
  const [one, other] = channels();
  createPeer(other, {});
  await expect(createPeer<Far>(one, {}).call('twice', 1n)).rejects.toThrow('no call twice');
});
