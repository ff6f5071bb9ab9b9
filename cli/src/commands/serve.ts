import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Role } from '../../../gateway/src/commands/serving/options.ts';
import { exits, withExamples } from '../command.ts';

type Options = { chain?: boolean; pi?: boolean; workers?: string; role?: Role };

/** `florin serve`: runs the gateway. */
export function serveCommand(program: Command): void {
  const command = program
    .command('serve')
    .alias('start')
    .description('Run the gateway until SIGTERM or Ctrl-C.')
    .option('--workers <n>', 'so many processes on one port, under a supervisor')
    .addOption(
      new Option('--role <role>', 'only half of a gateway; needs DATABASE_URL').choices(['api', 'worker']),
    )
    .option('--chain', 'with a demo chain beside it')
    .option('--pi', 'with a demo Pi network beside it')
    .action(
      exits(async ({ chain = false, pi = false, workers: count, role = 'all' }: Options) => {
        const { withTightMemory } = await import('../../../gateway/src/commands/serving/tight-memory.mjs');
        withTightMemory();
        const { readWorkers, workersFault } = await import(
          '../../../gateway/src/commands/serving/options.ts'
        );
        const { serve } = await import('../../../gateway/src/commands/serve.ts');
        const workers = count === undefined ? null : readWorkers(count);
        if (count !== undefined && workers === null) throw new InvalidArgumentError(workersFault);
        await serve(process.env, { networks: { chain, pi }, workers, role });
        return undefined;
      }),
    );
  withExamples(
    command,
    ['florin serve --chain', 'takes live payments on a chain on this machine'],
    ['florin serve --workers 4', 'uses four cores'],
  );
}
