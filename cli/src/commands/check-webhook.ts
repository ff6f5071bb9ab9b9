import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';
import { collected } from '../options.ts';

type Options = { secret: string[]; key?: string; header: string[]; json?: boolean };

/** `florin check-webhook`: whether a receiver keeps the rules. */
export function checkWebhookCommand(program: Command): void {
  const command = program
    .command('check-webhook')
    .argument('<url>', 'of the receiver; one of this machine too')
    .description(
      'Send a receiver right and wrong webhooks, and tell which rules it keeps; 2 where one is broken.',
    )
    .option(
      '--secret <whsec>',
      'the endpoint secret that it knows; may be repeated, newest first',
      collected,
      [],
    )
    .option('--key <key>', 'the secret key (sk_test_...) that it knows; by default FLORIN_SECRET_KEY')
    .option('--header <line>', "that it needs besides, as 'Name: value'; may be repeated", collected, [])
    .option('--json', 'print the report as JSON')
    .action(
      exits(async (url: string, { secret, key, header, json = false }: Options) => {
        const { checkWebhook } = await import('../../../gateway/src/commands/check-webhook.ts');
        return await checkWebhook({
          url,
          secrets: secret,
          key: key ?? (process.env.FLORIN_SECRET_KEY || undefined),
          headers: header,
          json,
        });
      }),
    );
  withExamples(
    command,
    ['florin check-webhook localhost:3000/hook --secret whsec_...', 'before it meets a real payment'],
    [
      'florin check-webhook https://shop.example/hook --json > report.json',
      'with the key of FLORIN_SECRET_KEY',
    ],
  );
}
