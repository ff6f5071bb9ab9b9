import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

/** `florin health`: whether the gateway on this machine is ready. */
export function healthCommand(program: Command): void {
  const command = program
    .command('health')
    .description('Ask the gateway on this machine whether it is ready. The exit code is 1 when it is not.')
    .action(
      exits(async () => {
        const { health } = await import('../../../gateway/src/commands/serving/health.ts');
        return await health(process.env);
      }),
    );
  withExamples(command, ['florin health', 'in a container, every half minute']);
}
