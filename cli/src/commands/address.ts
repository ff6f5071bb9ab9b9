import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';
import { merchantCommand } from '../merchant/command.ts';
import type { VerifyOptions } from '../merchant/verify-addresses.ts';

/** `florin address ...`: the addresses of payments, recomputed. */
export function addressCommands(program: Command): void {
  const group = commandGroup(program, 'address', 'Recompute where the money of a payment goes.');
  const name = 'verify';
  const description =
    'Recompute the addresses of a payment from what you know. The exit code is 2 when one is not yours.';
  const command = merchantCommand(group, name, description)
    .argument('[payment_reference]', 'reference of the payment; without it no gateway is asked')
    .option('--merchant <address>', 'your own address')
    .option('--host <address>', 'the address of the host for its part')
    .option('--basis-points <number>', 'the part of the host, in hundredths of a percent')
    .option('--treasury <address>', 'the treasury of the host, where payments are credited to your balance')
    .option('--asset <code>', 'only the address of this asset, such as usdc-base')
    .option('--payment-id <id>', 'without a reference: the id of the payment')
    .option('--address <address>', 'without a reference: the address that a page shows')
    .action(
      exits(async (reference: string | undefined, options: VerifyOptions) => {
        const { verifyAddresses } = await import('../merchant/verify-addresses.ts');
        return await verifyAddresses(reference, options);
      }),
    );
  withExamples(
    command,
    [
      'florin address verify order-1001 --merchant 0x... --host 0x... --basis-points 100',
      'that it can go to you and the host alone',
    ],
    [
      'florin address verify order-1001 --treasury 0x...',
      'that of a payment that is credited to your balance',
    ],
    [
      'florin address verify --payment-id 019a... --address 0x... --merchant 0x... --host 0x... --basis-points 100',
      'without a gateway',
    ],
  );
}
