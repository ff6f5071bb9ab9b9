#!/usr/bin/env node
import { audit } from '../../gateway/src/commands/audit.ts';
import { configHelp, showConfig } from '../../gateway/src/commands/config.ts';
import { deployContracts, verifyOnChains } from '../../gateway/src/commands/contracts.ts';
import { judgeIntegration, makeIntegration } from '../../gateway/src/commands/integrations.ts';
import { addOperator } from '../../gateway/src/commands/operators.ts';
import { seed } from '../../gateway/src/commands/seed.ts';
import { serve } from '../../gateway/src/commands/serve.ts';
import { sweep } from '../../gateway/src/commands/sweep.ts';
import { makeUser } from '../../gateway/src/commands/users.ts';

const usage = `Usage: florin <command>

  serve [--chain] [--pi]       run the gateway; with a demo chain or a demo Pi network beside it
  audit [--json]               recompute the ledger
  config                       check the configuration and show it
  config --help                every setting, its meaning and its default
  contracts deploy [--chain <id>] [--key-file <file>]
                               put the deposit contract on each configured chain that lacks it
  contracts verify             compare the contracts on each configured chain with what they must be
  integrations create <name>   make an integration and show its keys, this once
  integrations approve <id>    let it take live payments
  integrations suspend <id>    no longer
  operators add <email>        make somebody an operator; a new account's password is shown this once
  seed --payments <number> [--integration <id>]
                               make up test payments of the last year, for trying out
  sweep [--dry-run] [--all] [--chain <id>] [--key-file <file>]
                               move deposits to the treasury: those worth the gas, or all
  sweep --token <address> --payment <reference>,...
                               recover a token that is not listed, or the native coin (the zero address)
  users create <username>      make a user with a wallet and show the password, this once

All commands read the same settings as the gateway, and work beside a running one.
Exit codes: 0 done, 1 could not be done, 2 the audit found faults.
`;

type ExitCode = number | undefined | Promise<number | undefined>;

/** What a command takes after its name, and what it does; without an exit code it ends the process itself. */
type Command = {
  operand?: string;
  flags?: string[];
  /** Flags that a value follows. */
  options?: string[];
  run: (operand: string, flags: Set<string>, options: Map<string, string>) => ExitCode;
};

const { env } = process;

const commands: Record<string, Command> = {
  serve: {
    flags: ['--chain', '--pi'],
    run: async (_, flags) => {
      await serve(env, { chain: flags.has('--chain'), pi: flags.has('--pi') });
      return undefined;
    },
  },
  audit: { flags: ['--json'], run: (_, flags) => audit(env, { json: flags.has('--json') }) },
  config: {
    flags: ['--help'],
    run: (_, flags) => (flags.has('--help') ? print(configHelp()) : showConfig(env)),
  },
  'contracts deploy': {
    options: ['--chain', '--key-file'],
    run: (_, __, options) =>
      deployContracts(env, { chainId: options.get('--chain'), keyFile: options.get('--key-file') }),
  },
  'contracts verify': { run: () => verifyOnChains(env) },
  'integrations create': { operand: '<name>', run: (name) => makeIntegration(env, name) },
  'integrations approve': { operand: '<id>', run: (id) => judgeIntegration(env, id, 'approved') },
  'integrations suspend': { operand: '<id>', run: (id) => judgeIntegration(env, id, 'suspended') },
  'operators add': { operand: '<email>', run: (email) => addOperator(env, email) },
  seed: {
    options: ['--payments', '--integration'],
    run: (_, __, options) =>
      seed(env, {
        payments: options.get('--payments') ?? '',
        integration: options.get('--integration'),
      }),
  },
  sweep: {
    flags: ['--dry-run', '--all'],
    options: ['--chain', '--key-file', '--token', '--payment'],
    run: (_, flags, options) =>
      sweep(env, {
        chain: options.get('--chain'),
        keyFile: options.get('--key-file'),
        token: options.get('--token'),
        payments: options.get('--payment'),
        dryRun: flags.has('--dry-run'),
        all: flags.has('--all'),
      }),
  },
  'users create': { operand: '<username>', run: (username) => makeUser(env, username) },
};

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

async function run(words: string[]): Promise<number | undefined> {
  const name = [words.slice(0, 2).join(' '), words[0] ?? 'help'].find((each) =>
    Object.hasOwn(commands, each),
  );
  const command = name === undefined ? undefined : commands[name]!;
  const rest = words.slice(name?.split(' ').length ?? 0);
  const options = takeOptions(rest, command?.options ?? []);
  const flags = rest.filter((word) => word.startsWith('-'));
  const asksHelp = flags.some((flag) => flag === '--help' || flag === '-h');
  if (asksHelp && !command?.flags?.includes('--help')) return print(usage);
  if (!command) {
    if (words.length === 0 || words[0] === 'help') return print(usage);
    throw new Error(`unknown command: ${words.join(' ')}\n\n${usage}`);
  }
  const operands = rest.filter((word) => !word.startsWith('-'));
  const unknown = flags.find((flag) => !command.flags?.includes(flag)) ?? operands[command.operand ? 1 : 0];
  if (unknown !== undefined) throw new Error(`${name} does not know ${unknown}\n\n${usage}`);
  const [operand = ''] = operands;
  if (command.operand && operand.trim() === '')
    throw new Error(`${name} needs ${command.operand}\n\n${usage}`);
  return await command.run(operand, new Set(flags), options);
}

/** Takes each option with its value out of the words: `--name value` or `--name=value`. */
function takeOptions(words: string[], names: string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (const name of names) {
    const at = words.findIndex((word) => word === name || word.startsWith(`${name}=`));
    if (at === -1) continue;
    const [word] = words.splice(at, 1);
    options.set(name, word === name ? (words.splice(at, 1)[0] ?? '') : word!.slice(name.length + 1));
  }
  return options;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`florin: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
