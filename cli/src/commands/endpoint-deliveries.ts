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

/** The deliveries of an endpoint, replays, test events and checks. */
export function endpointDeliveriesCommands(group: Command): void {
  deliveries(group);
  replay(group);
  test(group);
  check(group);
}

function deliveries(group: Command): void {
  const command = withExtent(
    merchantCommand(group, 'deliveries', 'List the deliveries of an endpoint, newest first.').argument(
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
        'There are no deliveries yet.',
      );
      return 0;
    }),
  );
  withExamples(
    command,
    [`florin endpoints deliveries ${exampleId}`, 'with the answer to the last attempt of each'],
    [`florin endpoints deliveries ${exampleId} --json`, 'with every attempt and the text of its answer'],
  );
}

type ReplayOptions = { since?: string; only?: 'failed' | 'missed' };

function replay(group: Command): void {
  const command = merchantCommand(
    group,
    'replay',
    'Send events again that an endpoint did not get, and wait until all are queued.',
  )
    .argument('<endpoint>', 'its id')
    .option(
      '--since <time>',
      'events since then: ISO 8601, or a duration such as 2h; by default all',
      readTime,
    )
    .addOption(
      new Option(
        '--only <which>',
        'deliveries that failed, or those held during a pause; by default both',
      ).choices(['failed', 'missed']),
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
    [`florin endpoints replay ${exampleId} --only failed`, 'after a repair'],
  );
}

function test(group: Command): void {
  const command = merchantCommand(group, 'test', 'Send a test event to an endpoint (test mode).')
    .argument('<endpoint>', 'its id')
    .addOption(
      new Option('--type <type>', 'type of the event').choices(eventTypes).default('payment_completed'),
    )
    .action(
      callsTestMode(async ({ client, show }, id: string, { type }: { type: EventType }) => {
        const sent = await client.webhookEndpoints.test(id, { event_type: type });
        await show.one(
          sent,
          () => `Sent ${type} ${sent.event_id}; its delivery: florin endpoints deliveries ${id}\n`,
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
    'Let the gateway check the receiver behind a test endpoint, as check-webhook does. The exit code is 2 when a rule is broken.',
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
    'from the address that webhooks come from, with the secret of the endpoint',
  ]);
}
