import type { EventType, StoredEvent } from '@florin/sdk';
import { type Command, Option } from 'commander';
import { commandGroup, withExamples } from '../command.ts';
import { calls, extentOf, type ListOptions, merchantCommand, withExtent } from '../merchant/command.ts';
import { eventTypes } from '../merchant/words.ts';
import type { Column } from '../output/table.ts';

/** `florin events ...`: the events, and sending one again. */
export function eventsCommands(program: Command): void {
  const group = commandGroup(program, 'events', 'List events, show one, and send one again.');
  list(group);
  show(group);
  resend(group);
}

function list(group: Command): void {
  const command = withExtent(
    merchantCommand(group, 'list', 'List events, newest first.').addOption(
      new Option('--type <type>', 'only events of this type').choices(eventTypes),
    ),
  ).action(
    calls(async ({ client, show }, options: ListOptions & { type?: EventType }) => {
      const { localTime } = await import('../output/text.ts');
      const columns: Column<StoredEvent>[] = [
        { title: 'time', of: (event) => localTime(event.created_at) },
        { title: 'type', of: (event) => event.event_type },
        { title: 'payment or payout', of: (event) => event.payment_reference || event.payout_reference },
        { title: 'event', of: (event) => event.event_id },
      ];
      const { type } = options;
      await show.list(
        (page) => client.events.list({ ...page, ...(type && { type }) }),
        extentOf(options),
        columns,
        'There is no event yet: florin trigger payment_completed makes one.',
      );
      return 0;
    }),
  );
  withExamples(
    command,
    ['florin events list --type payment_failed', 'the latest failures'],
    ['florin events list --all --json', 'every event that is kept, one on each line'],
  );
}

function show(group: Command): void {
  const command = merchantCommand(group, 'show', 'Show one event with its exact body.')
    .argument('<event_id>', 'id of the event')
    .action(
      calls(async ({ client, show }, id: string) => {
        const [{ localTime }, { recordOf }] = await Promise.all([
          import('../output/text.ts'),
          import('../output/table.ts'),
        ]);
        const event = await client.events.get(id);
        await show.one(
          event,
          () =>
            `${recordOf([
              ['event', event.event_id],
              ['type', event.event_type],
              event.payout_reference === ''
                ? ['payment', event.payment_reference]
                : ['payout', event.payout_reference],
              ['sequence', `${event.sequence}`],
              ['time', localTime(event.created_at)],
            ])}\n${event.body}\n`,
        );
        return 0;
      }),
    );
  withExamples(command, ['florin events show 019aa1d2-9b1c-7d22-8f0a-2d6c1b7e4a90', 'by its id']);
}

function resend(group: Command): void {
  const command = merchantCommand(group, 'resend', 'Send an event again, with the same bytes.')
    .argument('<event_id>', 'id of the event')
    .action(
      calls(async ({ client, show }, id: string) => {
        const { counted } = await import('../output/text.ts');
        const resent = await client.events.resend(id);
        await show.one(resent, () => `${id} is sent again to ${counted(resent.count, 'endpoint')}\n`);
        return 0;
      }),
    );
  withExamples(command, ['florin events resend 019aa1d2-9b1c-7d22-8f0a-2d6c1b7e4a90', 'by its id']);
}
