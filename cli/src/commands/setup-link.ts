import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

/** `florin setup-link`: a new link for the first run. */
export function setupLinkCommand(program: Command): void {
  const command = program
    .command('setup-link')
    .description('Print a new link to set up an installation that has no operator. The link before it ends.')
    .action(
      exits(async () => {
        const { printSetupLink } = await import('../../../gateway/src/commands/people/setup-link.ts');
        return await printSetupLink(process.env);
      }),
    );
  withExamples(command, ['florin setup-link', 'open it in a browser within 24 hours']);
}
