import type { EventType, NewWebhookEndpoint, WebhookEndpoint } from '@florin/sdk';
import type { Command } from 'commander';
import { now } from '../clock.ts';
import { commandGroup, withExamples } from '../command.ts';
import { calls, merchantCommand } from '../merchant/command.ts';
import type { Context } from '../merchant/context.ts';
import { durationWithin } from '../merchant/duration.ts';
import { readEventTypes } from '../merchant/words.ts';
import type { Column } from '../output/table.ts';
import { chaosCommand } from './endpoint-chaos.ts';
import { endpointDeliveriesCommands } from './endpoint-deliveries.ts';

const daySeconds = 86_400;
const exampleId = '019aa1d3-4c5d-7e6f-8a9b-0c1d2e3f4a5b';

/** `florin endpoints ...`: the webhook endpoints. */
export function endpointsCommands(program: Command): void {
  const group = commandGroup(
    program,
    'endpoints',
    'Manage webhook endpoints, test them, and see their deliveries.',
  );
  list(group);
  create(group);
  update(group);
  remove(group);
  rollSecret(group);
  endOverlap(group);
  endpointDeliveriesCommands(group);
  chaosCommand(group);
}

function list(group: Command): void {
  const command = merchantCommand(group, 'list', 'List webhook endpoints.').action(
    calls(async ({ client, show }) => {
      const { toneOf } = await import('../output/text.ts');
      const columns: Column<WebhookEndpoint>[] = [
        { title: 'endpoint', of: ({ id }) => id },
        { title: 'status', of: ({ status }) => status, tone: ({ status }) => toneOf(status) },
        { title: 'url', of: ({ url }) => url },
        { title: 'events', of: ({ events }) => events.join(',') },
      ];
      await show.list(
        () => client.webhookEndpoints.list(),
        { limit: 100, all: true },
        columns,
        'There is no endpoint. florin endpoints create <url> makes one; florin listen needs none.',
      );
      return 0;
    }),
  );
  withExamples(command, ['florin endpoints list', 'each with the types of its events']);
}

function create(group: Command): void {
  const command = merchantCommand(
    group,
    'create',
    'Make an endpoint and show its secret, which is shown only now.',
  )
    .argument('<url>', 'where webhooks go')
    .option('--events <types>', 'types of the events it gets, separated by commas', readEventTypes)
    .action(
      calls(async ({ client, show }, url: string, { events }: { events?: EventType[] }) => {
        const made = await client.webhookEndpoints.create({ url, ...(events && { events }) });
        await printEndpoint(show, made);
        return 0;
      }),
    );
  withExamples(
    command,
    ['florin endpoints create https://shop.example/webhooks', 'completed, failed and abandoned payments'],
    ['florin endpoints create https://shop.example/webhooks --events payment_completed', 'only these events'],
  );
}

type Change = { endpointUrl?: string; events?: EventType[]; pause?: boolean; activate?: boolean };

function update(group: Command): void {
  const command = merchantCommand(group, 'update', 'Change, pause or reactivate an endpoint.')
    .argument('<endpoint>', 'its id')
    .option('--endpoint-url <url>', 'where webhooks go from now on')
    .option('--events <types>', 'types of the events it gets, separated by commas', readEventTypes)
    .option('--pause', 'send nothing to it until it is activated')
    .option('--activate', 'send to it again, and send what was held since it was paused or disabled')
    .action(
      calls(async ({ client, show }, id: string, { endpointUrl, events, pause, activate }: Change) => {
        if (pause && activate) throw new Error('--pause and --activate cannot be combined');
        const change = {
          ...(endpointUrl !== undefined && { url: endpointUrl }),
          ...(events && { events }),
          ...(pause && { status: 'paused' as const }),
          ...(activate && { status: 'active' as const }),
        };
        if (Object.keys(change).length === 0) {
          throw new Error('nothing to change: use --endpoint-url, --events, --pause or --activate');
        }
        await printEndpoint(show, await client.webhookEndpoints.update(id, change));
        return 0;
      }),
    );
  withExamples(command, [`florin endpoints update ${exampleId} --pause`, 'during a move of the shop']);
}

function remove(group: Command): void {
  const command = merchantCommand(group, 'delete', 'Remove an endpoint. Its pending deliveries are not sent.')
    .argument('<endpoint>', 'its id')
    .option('--yes', 'confirm the removal')
    .action(
      calls(async ({ client, show }, id: string, { yes = false }: { yes?: boolean }) => {
        if (!yes) {
          const { url } = await client.webhookEndpoints.get(id);
          throw new Error(
            `this removes ${url} and its secret for ever: confirm with --yes, or use --pause instead`,
          );
        }
        await client.webhookEndpoints.delete(id);
        await show.one({ id, deleted: true }, () => `${id} is removed\n`);
        return 0;
      }),
    );
  withExamples(command, [`florin endpoints delete ${exampleId} --yes`, 'for ever']);
}

function rollSecret(group: Command): void {
  const command = merchantCommand(
    group,
    'roll-secret',
    'Make a new secret for an endpoint and show it, which is shown only now.',
  )
    .argument('<endpoint>', 'its id')
    .option(
      '--overlap <duration>',
      'how long the old secret signs too: by default a day, at most 7d',
      durationWithin('0s', '7d'),
      daySeconds,
    )
    .action(
      calls(async ({ client, show }, id: string, { overlap }: { overlap: number }) => {
        const { localTime } = await import('../output/text.ts');
        const rolled = await client.webhookEndpoints.rollSecret(id, { overlap_seconds: overlap });
        const end = new Date(now().getTime() + overlap * 1000).toISOString();
        await printEndpoint(
          show,
          rolled,
          overlap === 0 ? 'no longer signs' : `signs too until ${localTime(end)}`,
        );
        return 0;
      }),
    );
  withExamples(
    command,
    [`florin endpoints roll-secret ${exampleId}`, 'replace it in your server within a day'],
    [`florin endpoints roll-secret ${exampleId} --overlap 0`, 'after a leak: the old secret ends now'],
  );
}

function endOverlap(group: Command): void {
  const command = merchantCommand(
    group,
    'end-overlap',
    'Sign only with the newest secret of an endpoint from now on.',
  )
    .argument('<endpoint>', 'its id')
    .action(
      calls(async ({ client, show }, id: string) => {
        await printEndpoint(show, await client.webhookEndpoints.endOverlap(id));
        return 0;
      }),
    );
  withExamples(command, [`florin endpoints end-overlap ${exampleId}`, 'when your server has the new secret']);
}

async function printEndpoint(
  show: Context['show'],
  endpoint: WebhookEndpoint | NewWebhookEndpoint,
  oldSecret = '',
): Promise<void> {
  const [{ recordOf }, { toneOf }] = await Promise.all([
    import('../output/table.ts'),
    import('../output/text.ts'),
  ]);
  await show.one(endpoint, () =>
    recordOf([
      ['endpoint', endpoint.id],
      ['url', endpoint.url],
      ['events', endpoint.events.join(',')],
      ['status', endpoint.status, toneOf(endpoint.status)],
      ['secret', 'secret' in endpoint ? endpoint.secret : ''],
      ['old secret', oldSecret],
    ]),
  );
}
