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
    'Show events as they happen, and forward them to a server of this machine.',
  )
    .option('--forward-to <address>', 'such as localhost:3000/hook; signed as the gateway signs')
    .option('--events <types>', 'of these types alone, separated by commas', readEventTypes)
    .option(
      '--since <time>',
      'begin there, not where it ended last: ISO 8601, or a duration such as 10m',
      readTime,
    )
    .option('--state <file>', 'where it notes what it has shown; by default a file below XDG_STATE_HOME')
    .action(
      calls(async (context, options: ListenOptions) => {
        const { listen } = await import('../listen/listen.ts');
        return await listen(context, options);
      }),
    );
  withExamples(
    command,
    ['florin listen --forward-to localhost:3000/hook', 'no tunnel and no endpoint needed'],
    ['florin listen --events payment_completed --json', 'a line of JSON for each'],
    ['florin listen --forward-to 3000/hook --since 1h', 'the events of the last hour once more'],
  );
}
