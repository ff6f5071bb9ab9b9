import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceiverCheck } from '@florin/sdk';
import { print } from '../output/print.ts';
import { createProgress, describeFindings, exitCodeOf } from '../receiver/report.ts';
import type { Context } from './context.ts';

const pollMs = 500;

/**
 * Lets the gateway check the receiver behind an endpoint, and follows the check to its end. Returns the exit code of
 * `exitCodeOf`. Throws when the gateway stopped first.
 */
export async function checkEndpoint({ client, json, show }: Context, id: string): Promise<number> {
  const { checks } = client.test;
  let check = await checks.start(id);
  const progress = createProgress((line) => process.stdout.write(`${line}\n`), process.stdout);
  if (!json) await print(`Checking ${check.url}\n\n`);
  for (;;) {
    if (!json) progress(check.exchanges);
    if (check.status !== 'running') break;
    await sleep(pollMs);
    check = await checks.get(id, check.id);
  }
  if (check.status === 'stopped')
    throw new Error('the gateway stopped during the check: start the check again');
  await show.one(check, () => textOf(check));
  return exitCodeOf(check);
}

function textOf(check: ReceiverCheck): string {
  return `${describeFindings(check, process.stdout).join('\n')}\n`;
}
