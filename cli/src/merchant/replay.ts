import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Replay, ReplayInput } from '@florin/sdk';
import { note } from '../output/print.ts';

const pollMs = 1_000;

/** Starts a replay and waits for its end, with a note when it takes long; returns the result. */
export async function replayToItsEnd(client: Client, id: string, input: ReplayInput): Promise<Replay> {
  let replay = await client.webhookEndpoints.replay(id, input);
  while (replay.status === 'running') {
    const { count, total } = replay;
    note(`${count}${total === null ? '' : ` of ${total}`} queued ...`);
    await sleep(pollMs);
    replay = (await client.webhookEndpoints.replayProgress(id)) ?? replay;
  }
  return replay;
}
