import type { EventType } from '@florin/sdk';
import { type Command, Option } from 'commander';
import { withExamples } from '../command.ts';
import {
  calls,
  callsTestMode,
  extentOf,
  type ListOptions,
  merchantCommand,
  withExtent,
} from '../merchant/command.ts';
import { readTime } from '../merchant/duration.ts';
import { eventTypes } from '../merchant/words.ts';

const exampleId = '019aa1d3-4c5d-7e6f-8a9b-0c1d2e3f4a5b';

/** What an endpoint was sent, sending it again, and trying it out. */
export function endpointDeliveriesCommands(group: Command): void {
  deliveries(group);
  replay(group);
  test(group);
  check(group);
}

function deliveries(group: Command): void {
  const command = withExtent(
    merchantCommand(group, 'deliveries', 'List what an endpoint was sent, newest first.').argument(
      '<endpoint>',
      'its id',
    ),
  ).action(
    calls(async ({ client, show }, id: string, options: ListOptions) => {
      const { deliveryColumns } = await import('../merchant/delivery-text.ts');
      await show.list(
        (page) => client.webhookEndpoints.deliveries(id, page),
        extentOf(options),
        deliveryColumns,
        'Nothing was sent to it yet.',
      );
      return 0;
    }),
  );
  withExamples(
    command,
    [`florin endpoints deliveries ${exampleId}`, 'with the answer of each last attempt'],
    [`florin endpoints deliveries ${exampleId} --json`, 'with every attempt and the text of its answer'],
  );
}

type ReplayOptions = { since?: string; only?: 'failed' | 'missed' };

function replay(group: Command): void {
  const command = merchantCommand(
    group,
    'replay',
    'Send what an endpoint did not get once more, and wait until all of it is queued.',
  )
    .argument('<endpoint>', 'its id')
    .option('--since <time>', 'from then on: ISO 8601, or a duration such as 2h; all unless said', readTime)
    .addOption(
      new Option('--only <which>', 'what failed, or what was missed in a pause; both unless said').choices([
        'failed',
        'missed',
      ]),
    )
    .action(
      calls(async ({ client, show }, id: string, { since, only }: ReplayOptions) => {
        const [{ replayToItsEnd }, { counted }] = await Promise.all([
          import('../merchant/replay.ts'),
          import('../output/text.ts'),
        ]);
        const done = await replayToItsEnd(client, id, { since, only });
        await show.one(done, () => `${counted(done.count, 'delivery', 'deliveries')} to be sent again\n`);
        return 0;
      }),
    );
  withExamples(
    command,
    [`florin endpoints replay ${exampleId} --since 2h`, 'after an outage'],
    [`florin endpoints replay ${exampleId} --only missed`, 'after a pause'],
  );
}

function test(group: Command): void {
  const command = merchantCommand(group, 'test', 'Send a made-up event to an endpoint (test mode).')
    .argument('<endpoint>', 'its id')
    .addOption(new Option('--type <type>', 'of which type').choices(eventTypes).default('payment_completed'))
    .action(
      callsTestMode(async ({ client, show }, id: string, { type }: { type: EventType }) => {
        const sent = await client.webhookEndpoints.test(id, { event_type: type });
        await show.one(
          sent,
          () => `Sent ${type} ${sent.event_id}; what came of it: florin endpoints deliveries ${id}\n`,
        );
        return 0;
      }),
    );
  withExamples(command, [`florin endpoints test ${exampleId}`, 'its payment_reference begins TEST_']);
}

function check(group: Command): void {
  const command = merchantCommand(
    group,
    'check',
    'Let the gateway try the receiver behind a test endpoint, as check-webhook does; 2 where a rule is broken.',
  )
    .argument('<endpoint>', 'its id')
    .action(
      callsTestMode(async (context, id: string) => {
        const { checkEndpoint } = await import('../merchant/check.ts');
        return await checkEndpoint(context, id);
      }),
    );
  withExamples(command, [
    `florin endpoints check ${exampleId}`,
    'from where webhooks will come, with its secret',
  ]);
}
