import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = { chain?: boolean; pi?: boolean };

/** `florin serve`: runs the gateway. */
export function serveCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('Run the gateway until SIGTERM or Ctrl-C.')
    .option('--chain', 'with a demo chain beside it')
    .option('--pi', 'with a demo Pi network beside it')
    .action(
      exits(async ({ chain = false, pi = false }: Options) => {
        const { serve } = await import('../../../gateway/src/commands/serve.ts');
        await serve(process.env, { chain, pi });
        return undefined;
      }),
    );
  withExamples(command, ['florin serve --chain', 'takes live payments on a chain on this machine']);
}
