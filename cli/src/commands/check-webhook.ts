import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';
import { collected } from '../options.ts';

type Options = { secret: string[]; key?: string; header: string[]; json?: boolean };

/** `florin check-webhook`: checks whether a receiver follows the rules. */
export function checkWebhookCommand(program: Command): void {
  const command = program
    .command('check-webhook')
    .argument('<url>', 'address of the receiver; may be on this machine')
    .description(
      'Send right and wrong webhooks to a receiver, and show which rules it follows. The exit code is 2 when one is broken.',
    )
    .option(
      '--secret <whsec>',
      'an endpoint secret of the receiver; may be repeated, newest first',
      collected,
      [],
    )
    .option('--key <key>', 'the secret key (sk_test_...) of the receiver; by default FLORIN_SECRET_KEY')
    .option(
      '--header <line>',
      "a header that the receiver needs, as 'Name: value'; may be repeated",
      collected,
      [],
    )
    .option('--json', 'print the report as JSON')
    .action(
      exits(async (url: string, { secret, key, header, json = false }: Options) => {
        const { checkWebhook } = await import('../receiver/check-webhook.ts');
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
    ['florin check-webhook localhost:3000/hook --secret whsec_...', 'before the first real payment'],
    [
      'florin check-webhook https://shop.example/hook --json > report.json',
      'with the key in FLORIN_SECRET_KEY',
    ],
  );
}
