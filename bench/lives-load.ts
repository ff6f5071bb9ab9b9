// Plays merchants: creates payments, and pays those that it created. Keep-alive connections, each of which sends its
// next request when it has the answer.
import { createHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';
import { answer } from './child.ts';
import type { Figure } from './result.ts';

export type LivesRequest = {
  port: number;
  /** The merchants' secret keys, used in turn. */
  keys: string[];
  connections: number;
  /** create: makes payments; complete: pays those that were created before; live: each is paid once it was created. */
  task: 'create' | 'complete' | 'live';
} & ({ seconds: number } | { count: number });

/** The figure, how many payments it is of, and when the first was sent, by the system's monotonic clock. */
export type LivesReply = { figure: Figure; count: number; startedAt: string };

/** As much as a shop usually says of a payment. */
const createBody = JSON.stringify({
  amount: 12.5,
  currency: 'USDC',
  payment_type: 'deposit',
  customer_email: 'ada@example.com',
  customer_reference: 'customer-1815',
  success_url: 'https://shop.example/thanks?order=1815',
  failure_url: 'https://shop.example/basket?order=1815',
  meta_data: '{"order":1815}',
});
const payBody = JSON.stringify({ outcome: 'success' });

type Created = { reference: string; key: string };
type Send = (method: 'PUT' | 'POST', path: string, key: string, body: string) => Promise<string>;

/** What was created and not paid yet. */
const unpaid: Created[] = [];
let turn = 0;

answer<LivesRequest, LivesReply>(async (request) => {
  const { connections } = request;
  const pool = new Pool(`http://127.0.0.1:${request.port}`, { connections });
  const send: Send = async (method, path, key, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await pool.request({ path, method, headers, body });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`Answered ${text}`);
    return text;
  };
  const latencies = createHistogram();
  const cpu = process.cpuUsage();
  const startedAt = process.hrtime.bigint();
  const start = performance.now();
  let left = 'count' in request ? request.count : Number.POSITIVE_INFINITY;
  const end = 'seconds' in request ? start + request.seconds * 1000 : Number.POSITIVE_INFINITY;

  async function drive(): Promise<void> {
    while (left > 0 && performance.now() < end) {
      left -= 1;
      const sentAt = performance.now();
      if (!(await play(send, request))) return;
      latencies.record(Math.max(1, Math.round((performance.now() - sentAt) * 1000)));
    }
  }

  await Promise.all(Array.from({ length: connections }, drive));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await pool.close();
  return {
    figure: {
      perSecond: latencies.count / seconds,
      p50Ms: latencies.percentile(50) / 1000,
      p99Ms: latencies.percentile(99) / 1000,
      generatorCpu: (user + system) / 1e6 / seconds,
    },
    count: latencies.count,
    startedAt: `${startedAt}`,
  };
});

/** Plays one payment's part; false when there is none left to pay. */
async function play(send: Send, { task, keys }: LivesRequest): Promise<boolean> {
  if (task === 'complete') {
    const payment = unpaid.pop();
    if (payment) await pay(send, payment);
    return payment !== undefined;
  }
  turn += 1;
  const payment = await create(send, keys[turn % keys.length] ?? '');
  if (task === 'live') await pay(send, payment);
  else unpaid.push(payment);
  return true;
}

async function create(send: Send, key: string): Promise<Created> {
  const answered = JSON.parse(await send('PUT', '/payment/create', key, createBody)) as {
    data: { PaymentData: { payment_reference: string } };
  };
  return { reference: answered.data.PaymentData.payment_reference, key };
}

async function pay(send: Send, { reference, key }: Created): Promise<void> {
  const answered = await send('POST', `/test/payments/${reference}/simulate`, key, payBody);
  if (!answered.includes('"payment_status":"completed"')) throw new Error(`Not completed: ${answered}`);
}
