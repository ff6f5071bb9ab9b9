// `npm run bench:memory [-- requests]`: the memory of the gateway's process, idle and after that many requests.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.ts';
import type { Driven } from './closed-load.ts';
import { withGateway } from './gateway.ts';
import type { Load } from './load.ts';
import { describeMachine, readMachine } from './machine.ts';

const restMs = 60_000;
const partSeconds = 10;
const wanted = Number.parseInt(process.argv[2] ?? '1000000', 10);

/** Resident memory of a process in MB, and how much of it is shared with its program file. */
async function residentMb(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const mb = (name: string): string =>
    ((Number.parseInt(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? '', 10) * 1024) / 1e6).toFixed(0);
  return `${mb('VmRSS')} MB, of which ${mb('RssFile')} MB are mapped files`;
}

console.log(describeMachine(await readMachine()));
// One start before: the first one also compiles, and keeps the result.
await withGateway(async () => {});
await withGateway(async ({ processes: { gateway: pid }, port, demo }) => {
  await sleep(restMs);
  console.log(`idle: ${await residentMb(pid)}`);
  const load = startChild<Load, Driven>('load.ts');
  let sent = 0;
  while (sent < wanted) {
    const { count } = await load.ask({
      port,
      method: 'PUT',
      headers: { authorization: `Bearer ${demo.secret_key}`, 'content-type': 'application/json' },
      requests: [
        { path: '/payment/create', body: '{"amount":12.5,"currency":"USDC","payment_type":"deposit"}' },
      ],
      connections: 64,
      seconds: partSeconds,
    });
    sent += count;
  }
  console.log(`after ${sent.toLocaleString('en')} creates: ${await residentMb(pid)}`);
  await load.stop();
  await sleep(restMs);
  console.log(`a minute later: ${await residentMb(pid)}`);
});
