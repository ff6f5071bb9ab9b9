import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';

const mailId = '019aa1d4-3c5d-7e6f-8a7b-9c8d7e6f5a4b';

const load = () => import('../../../gateway/src/commands/mails.ts');

/** `florin mails list` and `florin mails show`. */
export function mailsCommands(program: Command): void {
  const group = commandGroup(program, 'mails', 'Read mails that wait because no mail server is set.');
  const list = group
    .command('list')
    .description('List the mails that wait, the newest first, without their texts.')
    .action(exits(async () => (await load()).listWaitingMails(process.env)));
  withExamples(list, ['florin mails list', 'with their ids']);

  const show = group
    .command('show')
    .argument('<id>', 'its id')
    .description(
      'Show a mail that waits, also one with a link that gives access, which no page of the dashboard shows. Where SMTP_URL is set such a mail is for its recipient alone.',
    )
    .action(exits(async (id: string) => (await load()).showMail(process.env, id)));
  withExamples(show, [`florin mails show ${mailId}`, 'pass its link to the recipient alone']);
}
