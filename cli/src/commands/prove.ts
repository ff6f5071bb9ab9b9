import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

type ProveOptions = {
  out?: string;
  texts?: string;
  sign?: string;
  address?: string;
  signature?: string;
  chain?: string;
  contract?: boolean;
  check?: string;
  rpc?: string[];
  path?: string;
};

/** `florin prove`: statements of what is owed and held, and their check. */
export function proveCommand(program: Command): void {
  const command = program
    .command('prove')
    .description(
      'Publish a statement of what is owed and held, or check one. The exit code is 2 when something is wrong.',
    )
    .option('--out <file>', 'write the statement to a file too')
    .option('--texts <id>', 'show what is still to be signed for the addresses of a statement')
    .option('--sign <id>', 'add a signature for an address of a statement')
    .option('--address <address>', 'with --sign: which address')
    .option('--signature <hex>', 'with --sign: what its wallet or Safe answered')
    .option('--contract', 'with --sign: the address is a contract that says whether it is its own (EIP-1271)')
    .option('--chain <id>', 'with --sign: which chain, where the address is on several')
    .option('--check <file>', 'check a statement that was published; this needs no gateway')
    .option('--rpc <url...>', 'with --check: a node of each chain, which is asked what the addresses hold')
    .option('--path <file>', 'with --check: whether the balance of a path is in it')
    .action(exits(run));
  withExamples(
    command,
    ['florin prove', 'publishes one at /proof'],
    ['florin prove --check proof.json --rpc https://bsc-dataseed.example --path mine.json', 'checks it'],
  );
}

async function run(options: ProveOptions): Promise<number> {
  const { check, sign, texts, address, signature, contract = false } = options;
  if (check !== undefined) {
    const { checkProof } = await import('../../../gateway/src/commands/treasury/check-proof.ts');
    return await checkProof({ file: check, rpc: options.rpc ?? [], path: options.path });
  }
  const proving = await import('../../../gateway/src/commands/treasury/prove.ts');
  if (texts !== undefined) return await proving.showTexts(process.env, texts);
  if (sign === undefined) return await proving.prove(process.env, { out: options.out });
  if (address === undefined || signature === undefined)
    throw new Error('--sign needs --address and --signature');
  const chainId = options.chain === undefined ? {} : { chainId: options.chain };
  return await proving.addSignature(process.env, {
    id: sign,
    address,
    signature,
    isContract: contract,
    ...chainId,
  });
}
