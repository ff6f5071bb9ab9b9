import type { Mutation } from '../mutation.ts';

const file = 'contracts/Splitter.sol';
const tests = ['contracts/splitter.test.ts', 'contracts/splitter-sides.test.ts'];

export const splitter: readonly Mutation[] = [
  {
    name: 'splitter/exact-payment',
    file,
    find: 'balanceOf(token) != before - amount',
    replace: 'balanceOf(token) > before - amount',
    harm: 'A side that releases again while it is paid holds up the other.',
    tests,
  },
  {
    name: 'splitter/believed-token',
    file,
    find: 'balanceOf(token) != before - amount',
    replace: 'balanceOf(token) < before - amount',
    harm: 'A part that a token only says to have paid is divided again.',
    tests,
  },
  {
    name: 'splitter/only-the-factory',
    file,
    find: 'if (msg.sender != factory) revert OnlyFactory();',
    replace: '',
    harm: 'Anybody empties every splitter.',
    tests,
  },
  {
    name: 'splitter/rounding',
    file,
    find: '((held % 10_000) * split.basisPoints) / 10_000',
    replace: '((held % 10_000) * split.basisPoints + 9_999) / 10_000',
    harm: 'The host gets what rounding leaves.',
    tests,
  },
  {
    name: 'splitter/own-address-of-what-waits',
    file,
    find: 'bytes32(uint256(uint160(splitter)))',
    replace: 'bytes32(uint256(uint160(side)))',
    harm: 'What waits for a side is where nobody looks for it.',
    tests,
  },
  {
    name: 'splitter/too-little-gas',
    file,
    find: 'available < GAS_EACH + GAS_EACH / 32',
    replace: 'available < GAS_EACH / 32',
    harm: 'A stranger has the part of a side wait, by giving too little gas.',
    tests,
  },
];
