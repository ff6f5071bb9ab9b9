import { beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '../../gateway/test/support/running.ts';
import { emptyDirectory, type Florin, startFlorin } from './florin.ts';

const rounds = process.env.SOAK ? 60 : 2;
const buyers = 4;
/** Each round starts a process, on a machine that also runs other tests. */
const roundMs = 20_000;

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});

type Line = { event_id: string; payment_reference: string; sequence: number };

/** Customers who pay without a pause until they are stopped; returns the payments, each with two events. */
function buy(prefix: string): { stop(): Promise<string[]> } {
  let isOpen = true;
  const paid: string[] = [];
  async function buyer(number: number): Promise<void> {
    for (let count = 0; isOpen; count++) {
      const payment_reference = `${prefix}-${number}-${count}`;
      const body = { amount: 5, currency: 'USDC', payment_type: 'deposit', payment_reference };
      await app.api('PUT', '/payment/create', { body });
      await app.api('POST', `/test/payments/${payment_reference}/simulate`, { body: { outcome: 'dispute' } });
      paid.push(payment_reference);
    }
  }
  const all = Array.from({ length: buyers }, (_, number) => buyer(number));
  return {
    async stop() {
      isOpen = false;
      await Promise.all(all);
      return paid;
    },
  };
}

/**
 * Ends listening in each round at another number of shown events, while payments complete, and then lets it show the
 * rest. Returns every line of every round, in order.
 */
async function listenThrough(signals: readonly NodeJS.Signals[], prefix: string) {
  const env = {
    FLORIN_URL: app.baseUrl,
    FLORIN_SECRET_KEY: app.secretKey,
    XDG_STATE_HOME: await emptyDirectory(),
  };
  const lines: Line[] = [];
  const start = () => startFlorin(['listen', '--json'], env);
  const listening = (florin: Florin) =>
    florin.until(() => florin.errors().includes('Ctrl-C ends it'), 'listening');
  const take = (florin: Florin): void => {
    lines.push(
      ...florin
        .lines()
        .map((line): Line => JSON.parse(line))
        .filter(isOurs),
    );
  };
  const isOurs = ({ payment_reference }: Line) => payment_reference.startsWith(prefix);

  let florin = start();
  await listening(florin);
  const customers = buy(prefix);
  try {
    for (let round = 0; round < rounds; round++) {
      const count = 1 + ((round * 7919) % 23);
      await florin.until(() => florin.lines().length >= count, `${count} events of round ${round}`);
      await florin.end(signals[round % signals.length]!);
      take(florin);
      florin = start();
    }
  } finally {
    await customers.stop();
  }
  const wanted = new Set(
    (await customers.stop()).flatMap((reference) => [`${reference} 1`, `${reference} 2`]),
  );
  const seen = () => {
    const shown = [...lines, ...florin.lines().map((line): Line => JSON.parse(line))];
    return new Set(shown.map(({ payment_reference, sequence }) => `${payment_reference} ${sequence}`));
  };
  await florin.until(() => wanted.isSubsetOf(seen()), 'the rest');
  await florin.end('SIGINT');
  take(florin);
  return { lines, wanted };
}

const names = (lines: readonly Line[]) =>
  lines.map(({ payment_reference, sequence }) => `${payment_reference} ${sequence}`);

/** The events of one payment are shown in the order in which they happened. */
function expectOrder(lines: readonly Line[]): void {
  const latest = new Map<string, number>();
  for (const { payment_reference, sequence } of lines) {
    expect(sequence).toBeGreaterThanOrEqual(latest.get(payment_reference) ?? 0);
    latest.set(payment_reference, sequence);
  }
}

describe('while payments complete', { timeout: 900_000 + rounds * roundMs }, () => {
  test('every event is shown once, however often listening is ended and started again', async () => {
    const { lines, wanted } = await listenThrough(['SIGINT', 'SIGTERM'], 'ENDED');
    expect(names(lines).sort()).toEqual([...wanted].sort());
    expectOrder(lines);
  });

  test('kill -9 loses no event, and repeats one at most', async () => {
    const { lines, wanted } = await listenThrough(['SIGKILL'], 'KILLED');
    expect(new Set(names(lines))).toEqual(wanted);
    expect(lines.length - wanted.size).toBeLessThanOrEqual(rounds);
    expectOrder(lines);
  });
});
