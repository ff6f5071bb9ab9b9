import type { Command } from 'commander';
import { commandGroup, withExamples } from '../command.ts';
import { callsTestMode, merchantCommand } from '../merchant/command.ts';
import { durationWithin } from '../merchant/duration.ts';
import type { Show } from '../output/show.ts';

/** `florin clock ...`: the test clock of the integration. */
export function clockCommands(program: Command): void {
  const group = commandGroup(program, 'clock', 'Read the test clock, advance it, and reset it.');

  const show = merchantCommand(group, 'show', 'Show the time of the test clock.').action(
    callsTestMode(async ({ client, show }) => await printClock(show, await client.test.clock.get())),
  );
  withExamples(show, ['florin clock show', 'after it was advanced, it is ahead of the real time']);

  const advance = merchantCommand(
    group,
    'advance',
    'Advance the test clock, and wait until all that became due is done.',
  )
    .argument('<duration>', 'such as 90s, 10m, 1h30m or 2d', durationWithin('1s', '366d'))
    .action(
      callsTestMode(
        async ({ client, show }, seconds: number) =>
          await printClock(show, await client.test.clock.advance(seconds)),
      ),
    );
  withExamples(
    advance,
    ['florin clock advance 10m', 'deadlines of test payments pass'],
    ['florin clock advance 1d', 'webhooks that failed are sent again'],
  );

  const reset = merchantCommand(group, 'reset', 'Reset the test clock to the real time.').action(
    callsTestMode(async ({ client, show }) => await printClock(show, await client.test.clock.reset())),
  );
  withExamples(reset, ['florin clock reset', 'times that were moved closer stay as they are']);
}

async function printClock(show: Show, clock: { now: string }): Promise<number> {
  const { localTime } = await import('../output/text.ts');
  await show.one(clock, () => `The test clock shows ${localTime(clock.now)}\n`);
  return 0;
}
