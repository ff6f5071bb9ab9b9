import type { Mutation } from '../mutation.ts';

const contract = 'contracts/PayoutVault.sol';
const vaultTest = 'contracts/payout-vault.test.ts';
const at = (path: string) => `gateway/src/identity/proposals/${path}`;
const proposalsTest = at('proposals.test.ts');

export const vault: readonly Mutation[] = [
  {
    name: 'vault/paid-once',
    file: contract,
    find: 'if (bits & bit != 0) revert AlreadyPaid();',
    replace: 'if (bits & bit != 0 && isLimited) revert AlreadyPaid();',
    harm: 'An export that is executed twice pays twice.',
    tests: [vaultTest],
  },
  {
    name: 'vault/limit',
    file: contract,
    find: 'if (isLimited) spend(token, payout.amount);',
    replace: 'if (!isLimited) spend(token, payout.amount);',
    harm: 'A stolen key empties the vault.',
    tests: [vaultTest],
  },
  {
    name: 'vault/limit-of-the-day',
    file: contract,
    find: 'Allowance(allowance.limit, uint112(spent + amount), day);',
    replace: 'Allowance(allowance.limit, uint112(amount), day);',
    harm: 'The limit holds each payout, and not those of a day together.',
    tests: [vaultTest],
  },
  {
    name: 'vault/exact-amount',
    file: contract,
    find: 'current - before != payout.amount',
    replace: 'current - before > payout.amount',
    harm: 'A payout counts as paid of which the token kept a part.',
    tests: ['contracts/vault-tokens.test.ts'],
  },
  {
    name: 'vault/signer-alone',
    file: contract,
    find: 'if (msg.sender != signer) revert NotAllowed();',
    replace: 'if (msg.sender == address(0)) revert NotAllowed();',
    harm: 'Anybody pays out of the vault up to its limit.',
    tests: [vaultTest],
  },
  {
    name: 'vault/proposal-as-shown',
    file: at('proposals.ts'),
    find: '!change || !isDeepStrictEqual(plain(change.before), plain(proposal.before))',
    replace: '!change',
    harm: 'What an operator confirms changes another state than they were shown.',
  },
  {
    name: 'vault/proposal-of-an-operator',
    file: at('proposals.ts'),
    find: 'if (!act || !proposal.asked_by.is_operator)',
    replace: 'if (!act)',
    harm: 'What somebody asked for who was dismissed since is done.',
  },
  {
    name: 'vault/proposal-after-a-day',
    file: at('due.ts'),
    find: 'if (count < 2) {',
    replace: 'if (count < 3) {',
    harm: 'What the only operator asked for is done without the second one who came meanwhile.',
    tests: [proposalsTest],
  },
  {
    name: 'vault/proposal-of-the-only-operator',
    file: at('proposals.ts'),
    find: 'operators.count > 1 ? null : after(now, delaySeconds);',
    replace: 'operators.count > 2 ? null : after(now, delaySeconds);',
    harm: 'One of two operators acts alone after a day.',
  },
];
