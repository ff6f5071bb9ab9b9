import { examplesOf, pathOf } from '../cli/src/command.ts';
import { createProgram } from '../cli/src/program.ts';
import { table } from './markdown-table.ts';

type Command = ReturnType<typeof createProgram>;

/** Options that the page explains once, for all commands that have them. */
const explainedOnce = ['--url', '--key', '--json', '--limit', '--all', '--help'];

/** Every command of the command line with its options and examples, for docs/cli.md. */
export function commandsPart(): string {
  const program = createProgram();
  const groups = Map.groupBy(program.createHelp().visibleCommands(program), (command) => command.helpGroup());
  return [...groups]
    .map(([title, commands]) => [`## ${title.replace(/:$/, '')}`, ...commands.flatMap(partsOf)].join('\n\n'))
    .join('\n\n');
}

function partsOf(command: Command): string[] {
  if (command.commands.length > 0) return command.commands.flatMap(partsOf);
  const path = pathOf(command);
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  const operands = command.usage().replace(/\[options\] ?/, '');
  const synopsis = [path, operands, ...required].filter(Boolean).join(' ');
  const rows = [
    ...command.registeredArguments.map((argument) => [
      `\`${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}\``,
      withWords(argument.description, argument.argChoices),
    ]),
    ...command
      .createHelp()
      .visibleOptions(command)
      .filter(({ long }) => isExplainedHere(command, long ?? ''))
      .map((option) => [`\`${option.flags}\``, withWords(option.description, option.argChoices)]),
  ];
  const examples = examplesOf(command).map(([line, meaning]) => `# ${meaning}\n${line}`);
  return [
    `### ${path}`,
    command.description(),
    `\`${synopsis}\``,
    ...(rows.length > 0 ? [table(['', ''], rows)] : []),
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ];
}

/** False for the options that the page explains once. The `--key` of check-webhook means something else. */
function isExplainedHere(command: Command, option: string): boolean {
  if (!explainedOnce.includes(option)) return true;
  return option === '--key' && command.name() === 'check-webhook';
}

function withWords(description: string, words: readonly string[] | undefined): string {
  return words ? `${description}: ${words.map((word) => `\`${word}\``).join(', ')}` : description;
}
