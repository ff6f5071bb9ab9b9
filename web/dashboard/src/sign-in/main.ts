import './sign-in.css';
import { parseSearch } from '../api/search.ts';
import { readSignInSearch } from '../api/sign-in-address.ts';
import { applyTheme } from '../format/theme.ts';
import { doorsClass } from '../shell/doors-class.ts';
import { language } from '../texts/language.ts';
import { t } from '../texts/t.ts';
import { codeStep } from './code-step.ts';
import { coin } from './drawings.ts';
import { element } from './elements.ts';
import { fetchProgram } from './fetch-program.ts';
import { passwordStep } from './password-step.ts';
import type { Step } from './step.ts';

// The sign-in page: a document of its own, without the program of the dashboard.

const search = readSignInSearch(parseSearch(location.search));
const main = element('main', { id: 'main', tabindex: '-1', class: doorsClass.main });
let end = (): void => {};

function show(step: Step, isFocused: boolean): void {
  end();
  end = step.end;
  document.title = `${step.title} · Florin`;
  main.replaceChildren(...step.parts.filter((part) => part !== null));
  if (isFocused) step.focus.focus();
}

function showPassword(fault: string | null, isFocused: boolean): void {
  show(passwordStep({ search, fault, onCodeNeeded: () => showCode(false) }), isFocused);
}

function showCode(isRecovery: boolean): void {
  const onOther = () => showCode(!isRecovery);
  const onStartAgain = (fault: string | null) => showPassword(fault, true);
  show(codeStep({ next: search.next, isRecovery, onOther, onStartAgain }), true);
}

document.documentElement.lang = language;
applyTheme();
document.body.append(
  element(
    'div',
    { class: doorsClass.page },
    element('header', { class: doorsClass.head }, coin(), t('Florin')),
    main,
  ),
);
// Where the address is known already, as from an invitation, the password is asked for.
showPassword(null, search.email !== undefined);
fetchProgram();
// The Back button may bring the page as it was left, with its button busy.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
