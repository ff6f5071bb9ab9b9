import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';
import { readDuration } from '../merchant/duration.ts';
import { modeOption, readList } from '../options.ts';

const integrationId = '019aa1d0-11aa-7aaa-8bbb-222233334444';
const keyId = '019aa1d1-0a1b-7c2d-8e3f-4a5b6c7d8e9f';
const daySeconds = 86_400;

const load = () => import('../../../gateway/src/commands/keys.ts');

/** `florin keys ...`: an integration's secret keys, as the operator. */
export function keysCommands(program: Command): void {
  const group = commandGroup(program, 'keys', "List, make, roll and revoke an integration's secret keys.");
  list(group);
  create(group);
  roll(group);
  revoke(group);
  switchSigning(group);
}

function list(group: Command): void {
  const command = group
    .command('list')
    .argument('<integration>', 'its id')
    .description('List the keys of one mode, each with the end of its secret.')
    .addOption(modeOption())
    .option('--json', 'print JSON')
    .action(
      exits(async (integration: string, { mode, json = false }: { mode: string; json?: boolean }) =>
        (await load()).listIntegrationKeys(process.env, { integration, mode, json }),
      ),
    );
  withExamples(command, [`florin keys list ${integrationId} --mode live`, 'with their ids']);
}

type CreateOptions = {
  mode: string;
  signing?: boolean;
  name?: string;
  actions?: string[];
  addresses?: string[];
  dailyLimit: Record<string, string>;
  askAbove?: boolean;
  validFor?: number;
};

function create(group: Command): void {
  const command = group
    .command('create')
    .argument('<integration>', 'its id')
    .description('Make a key and show its secret, which is shown only now.')
    .addOption(modeOption())
    .option('--signing', "make the mode's signing key, if it has none yet")
    .option('--name <text>', 'name of the restricted key')
    .option('--actions <names>', 'what the key may do, separated by commas; by default everything', readList)
    .option(
      '--addresses <list>',
      'addresses it may be used from, separated by commas; by default any',
      readList,
    )
    .option(
      '--daily-limit <asset=amount>',
      'the most that it may pay out in a day; may be repeated',
      readLimit,
      {},
    )
    .option(
      '--ask-above',
      "above its daily limits orders wait for a person's approval; by default they are refused",
    )
    .option('--valid-for <duration>', 'when it ends by itself, such as 30d; by default never', readDuration)
    .action(
      exits(async (integration: string, options: CreateOptions) => {
        const { dailyLimit, askAbove: asksAbove, validFor: lifeSeconds, ...rest } = options;
        const dailyLimits = Object.keys(dailyLimit).length > 0 ? dailyLimit : undefined;
        return await (await load()).createIntegrationKey(process.env, {
          ...{ ...rest, integration, dailyLimits, asksAbove, lifeSeconds },
        });
      }),
    );
  withExamples(command, [
    `florin keys create ${integrationId} --name reports --actions "read payments"`,
    'a key that can do no more',
  ]);
}

function readLimit(text: string, before: Record<string, string>): Record<string, string> {
  const [asset = '', amount = ''] = text.split('=', 2);
  return { ...before, [asset]: amount };
}

function roll(group: Command): void {
  const command = group
    .command('roll')
    .argument('<key>', 'its id')
    .description('Make the successor of a key and show its secret, which is shown only now.')
    .option('--overlap <duration>', 'how long the old key still works, at most 7d', readDuration, daySeconds)
    .action(
      exits(async (key: string, { overlap }: { overlap: number }) =>
        (await load()).rollIntegrationKey(process.env, { key, overlapDays: overlap / daySeconds }),
      ),
    );
  withExamples(
    command,
    [`florin keys roll ${keyId}`, 'replace it within a day'],
    [`florin keys roll ${keyId} --overlap 0`, 'after a leak: the old key ends now'],
  );
}

function revoke(group: Command): void {
  const command = group
    .command('revoke')
    .argument('<key>', 'its id')
    .description('End a key at once; a signing key only after it was rolled.')
    .action(exits(async (key: string) => (await load()).revokeIntegrationKey(process.env, key)));
  withExamples(command, [`florin keys revoke ${keyId}`, 'requests with it are refused from now on']);
}

function switchSigning(group: Command): void {
  const command = group
    .command('switch')
    .argument('<integration>', 'its id')
    .description('Sign webhooks with the rolled key now, before the overlap ends.')
    .addOption(modeOption())
    .action(
      exits(async (integration: string, { mode }: { mode: string }) =>
        (await load()).switchIntegrationSigning(process.env, { integration, mode }),
      ),
    );
  withExamples(command, [
    `florin keys switch ${integrationId} --mode live`,
    'when your server has the new key',
  ]);
}
