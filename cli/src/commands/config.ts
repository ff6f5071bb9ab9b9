import type { Command } from 'commander';
import { configHelp } from '../../../gateway/src/commands/config-help.ts';
import { exits, withExamples } from '../command.ts';

/** `florin config`: the gateway's settings. */
export function configCommand(program: Command): void {
  const command = program
    .command('config')
    .description('Check the configuration of the gateway and show it, without its secrets.')
    .action(
      exits(async () => {
        const { showConfig } = await import('../../../gateway/src/commands/config.ts');
        return showConfig(process.env);
      }),
    );
  withExamples(
    command,
    ['PORT=8080 florin config', 'the configuration that the gateway would use'],
    ['florin config --help', 'every setting, its meaning and its default'],
  ).addHelpText('after', () => `\n${configHelp()}`);
}
