import { Argument, type Command } from 'commander';
import { exits, withExamples } from '../command.ts';
import type { Place } from '../completion/tree.ts';

type Shell = 'bash' | 'zsh' | 'fish';

const shells: Shell[] = ['bash', 'zsh', 'fish'];

/** `florin completion <shell>`: the completions of all commands as a script for a shell. */
export function completionCommand(program: Command): void {
  const command = program
    .command('completion')
    .addArgument(new Argument('<shell>', 'which').choices(shells))
    .description('Print the script that completes commands and options in a shell.')
    .action(
      exits(async (shell: Shell) => {
        const [script, { placesOf }] = await Promise.all([scriptFor(shell), import('../completion/tree.ts')]);
        process.stdout.write(script(placesOf(program)));
        return 0;
      }),
    );
  withExamples(
    command,
    ['eval "$(florin completion bash)"', 'in ~/.bashrc'],
    ['florin completion zsh > "$' + '{fpath[1]}/_florin"', 'once; then start zsh again'],
    ['florin completion fish > ~/.config/fish/completions/florin.fish', 'once'],
  );
}

async function scriptFor(shell: Shell): Promise<(places: readonly Place[]) => string> {
  if (shell === 'bash') return (await import('../completion/bash.ts')).bashScript;
  if (shell === 'zsh') return (await import('../completion/zsh.ts')).zshScript;
  return (await import('../completion/fish.ts')).fishScript;
}
