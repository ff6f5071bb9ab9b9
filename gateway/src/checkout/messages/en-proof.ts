/** What the pages of proof statements say, in English. */
export const proofEn = {
  proofTitle: 'What is owed and held',
  proofLead:
    'What this service owes to businesses and wallets, and where it is held. Your browser checks it by itself.',
  proofNone: 'No statement has been published yet.',
  proofOwed: 'Owed',
  proofHeld: 'Held',
  proofCheck: 'Check',
  proofNode: 'Node of {network}',
  proofPath: 'Your path (file)',
  proofGood: 'Nothing is wrong.',
  proofWrong: 'Something is wrong.',
  proofNotAsked: '{network} was not asked.',
  proofYours: 'Your balance in it',
  proofStatement: 'Download the statement',
  proofDownload: 'Download your path',
} as const;
