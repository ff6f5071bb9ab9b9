import type { Mutation } from '../mutation.ts';

const at = (path: string) => `gateway/src/rails/pi/send/${path}`;

export const piSends: readonly Mutation[] = [
  {
    name: 'pi-sends/void-only-if-free',
    file: at('fate.ts'),
    find: 'if (account.sequence < envelope.sequence)',
    replace: 'if (account.sequence <= envelope.sequence)',
    harm: 'What was applied, and Horizon is about to show, is signed and sent a second time.',
    tests: [at('unsure.test.ts')],
  },
  {
    name: 'pi-sends/jumped-over',
    file: at('fate.ts'),
    find: 'const isJumpedOver = successful && past.sequence',
    replace: 'const isJumpedOver = past.sequence',
    harm: 'A jump that failed passes for a proof that a payment can never be applied.',
  },
  {
    name: 'pi-sends/late-ledger',
    file: at('fate.ts'),
    find: "if (ledger.closedAt <= maxTime) return { kind: 'waiting' };",
    replace: '',
    harm: 'A transaction that may still come into a ledger is not handed in again.',
    tests: [at('unsure.test.ts'), at('sender.test.ts')],
  },
  {
    name: 'pi-sends/agreed-fate',
    file: at('agreed-fate.ts'),
    find: 'answers.some(({ value }) => value.kind === kind);',
    replace: 'answers.length > 0;',
    harm: 'Two Horizons that contradict each other end a payment: it is paid twice, or not at all.',
  },
  {
    name: 'pi-sends/twin-of-another-order',
    file: at('fate.ts'),
    find: 'if (owner !== undefined) continue;',
    replace: '',
    harm: 'What was paid for one order passes for the payment of another one that is alike.',
    tests: [at('sender.test.ts')],
  },
  {
    name: 'pi-sends/fee-of-the-account',
    file: at('start.ts'),
    find: 'const needed = send.units + maxFee;',
    replace: 'const needed = send.units;',
    harm: 'A payment is signed that the account cannot pay for with its fee.',
    tests: [at('sender.test.ts')],
  },
  {
    name: 'pi-sends/signed-as-asked',
    file: at('envelope.ts'),
    find: 'if (hex(transaction.hash()) !== hash)',
    replace: "if (hex(transaction.hash()) === '')",
    harm: 'A signer that answers with another payment has it sent.',
    tests: [at('signer.test.ts')],
  },
  {
    name: 'pi-sends/ended-once',
    file: at('outcome.ts'),
    find: 'if (!(await endEnvelope(tx, envelope.hash, { ...ended, at: now() }))) return;',
    replace: 'await endEnvelope(tx, envelope.hash, { ...ended, at: now() });',
    harm: 'A process that comes late puts an order back that another one has signed anew: it is paid twice.',
  },
];
