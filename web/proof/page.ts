/** The script of pages on which a browser checks a statement by itself: it asks only the nodes that the reader names. */
import { checkPath, checkStatement, readProofFile } from './check.ts';
import { checkChain, nodeAt } from './check-chain.ts';
import type { ProofFault } from './fault.ts';
import type { ProofPath, SignedStatement } from './statement.ts';

const form = document.querySelector<HTMLFormElement>('#proof-check');
const outcome = document.querySelector<HTMLElement>('#proof-outcome');

function textIn(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}

/** What the page has of the statement; what it is given may be forged as a file may. */
async function checkAll(): Promise<{ faults: ProofFault[]; notAsked: string[] }> {
  const signed = readProofFile(textIn('proof-statement') ?? '');
  if (!('signature' in signed)) return { faults: 'why' in signed ? [signed] : [], notAsked: [] };
  const faults = await checkStatement(signed);
  const path = textIn('proof-path') ?? (await chosenFile());
  if (path !== null) faults.push(...pathFaults(signed, readProofFile(path)));
  const notAsked: string[] = [];
  for (const chain of signed.statement.chains) {
    const field = document.querySelector<HTMLInputElement>(`input[data-chain="${chain.chain_id}"]`);
    const url = field?.value.trim() ?? '';
    if (url === '') notAsked.push(chain.name);
    else faults.push(...(await checkChain(signed, chain, nodeAt(url))));
  }
  return { faults, notAsked };
}

async function chosenFile(): Promise<string | null> {
  const file = document.querySelector<HTMLInputElement>('#proof-path-file')?.files?.[0];
  return file ? await file.text() : null;
}

function pathFaults(signed: SignedStatement, path: SignedStatement | ProofPath | ProofFault): ProofFault[] {
  if ('why' in path) return [path];
  return 'leaves' in path
    ? checkPath(signed.statement, path)
    : [{ code: 'form', why: 'The file is no path of a statement.' }];
}

async function show(checked: HTMLFormElement, shown: HTMLElement): Promise<void> {
  shown.replaceChildren();
  const { faults, notAsked } = await checkAll();
  const { good = '', wrong = '', template = '' } = checked.dataset;
  const say = (text: string, name: string): void => {
    const line = document.createElement('p');
    line.className = name;
    line.textContent = text;
    shown.append(line);
  };
  say(faults.length === 0 ? good : wrong, faults.length === 0 ? 'proof-good' : 'proof-wrong');
  for (const { code, why } of faults) say(`${code}: ${why}`, 'proof-fault');
  for (const name of notAsked) say(template.replace('{network}', name), 'hint');
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  if (outcome) void show(form, outcome);
});
document.documentElement.dataset.scripted = '';
