import type { Command } from 'commander';
import { withExamples } from '../command.ts';
import type { ListenOptions } from '../listen/listen.ts';
import { calls, merchantCommand } from '../merchant/command.ts';
import { readTime } from '../merchant/duration.ts';
import { readEventTypes } from '../merchant/words.ts';

/** `florin listen`: events as they happen, forwarded to a local server. */
export function listenCommand(program: Command): void {
  const command = merchantCommand(
    program,
    'listen',
    'Show events as they happen, and forward them to a server on this machine.',
  )
    .option('--forward-to <address>', 'such as localhost:3000/hook; signed as by the gateway')
    .option('--events <types>', 'only events of these types, separated by commas', readEventTypes)
    .option(
      '--since <time>',
      'start from this time, and not where it ended last: ISO 8601, or a duration such as 10m',
      readTime,
    )
    .option('--state <file>', 'file that stores which events were shown; by default below XDG_STATE_HOME')
    .action(
      calls(async (context, options: ListenOptions) => {
        const { listen } = await import('../listen/listen.ts');
        return await listen(context, options);
      }),
    );
  withExamples(
    command,
    ['florin listen --forward-to localhost:3000/hook', 'needs no tunnel and no endpoint'],
    ['florin listen --events payment_completed --json', 'a line of JSON for each event'],
    ['florin listen --forward-to 3000/hook --since 1h', 'the events of the last hour again'],
  );
}
