import type { Payment } from './talk.ts';

export type Choice = 'pay' | 'cancel' | 'fail';

/** The wallet as it lies over the page. */
export type Overlay = {
  /** Says what happens, and how it may be answered now. */
  show(words: string, choices: readonly Choice[]): void;
  close(): void;
};

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:host { color-scheme: light dark; }
dialog {
  box-sizing: border-box; width: min(22rem, calc(100vw - 2rem)); padding: 1.25rem; border-radius: 12px;
  border: 1px solid light-dark(#c9b8e8, #5b4a80); background: light-dark(#fff, #1d1728);
  color: light-dark(#1b1a17, #edeae2); font: 16px/1.45 system-ui, sans-serif;
}
dialog::backdrop { background: rgb(20 12 40 / 55%); }
.mark {
  margin: 0 0 1rem; padding: .35rem .6rem; border-radius: 6px; font-size: 14px; text-align: center;
  background: light-dark(#4b1fa8, #c9b3ff); color: light-dark(#fff, #1d1728);
}
h2 { margin: 0; font-size: 16px; font-weight: 500; overflow-wrap: anywhere; }
.amount { margin: .25rem 0; font-size: 28px; font-weight: 650; font-variant-numeric: tabular-nums; }
.memo { margin: 0; overflow-wrap: anywhere; color: light-dark(#5a5750, #b9b4a8); }
.state { min-height: 3em; margin: 1rem 0; }
.actions { display: grid; gap: .5rem; }
button {
  min-height: 44px; border-radius: 10px; border: 1px solid light-dark(#8a7bb0, #7a6aa5); font: inherit;
  background: none; color: inherit; cursor: pointer;
}
button:disabled { opacity: .5; cursor: default; }
button.pay {
  border-color: transparent; background: light-dark(#4b1fa8, #c9b3ff); color: light-dark(#fff, #1d1728);
  font-weight: 600;
}
`);

const choices: [Choice, string][] = [
  ['pay', 'Pay'],
  ['cancel', 'Cancel'],
  ['fail', 'Fail, as a wallet that breaks'],
];

/** Draws the wallet over the page: what is asked for, and three ways to answer. */
export function openOverlay(shop: string, payment: Payment, onChoice: (choice: Choice) => void): Overlay {
  const host = document.createElement('pi-wallet-simulation');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'shop');
  const state = element('p', 'state', '');
  state.setAttribute('role', 'status');
  const buttons = choices.map(([choice, words]) => {
    const button = document.createElement('button');
    button.className = choice;
    button.textContent = words;
    button.addEventListener('click', () => onChoice(choice));
    return button;
  });
  const actions = element('div', 'actions', '');
  actions.append(...buttons);
  const title = element('h2', '', shop);
  title.id = 'shop';
  dialog.append(
    element('p', 'mark', 'Simulated Pi wallet: no real money'),
    title,
    element('p', 'amount', `${payment.amount} π`),
    element('p', 'memo', payment.memo),
    state,
    actions,
  );
  // The wallet is closed by its buttons alone, so that nobody wonders whether the payment is on its way.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  root.append(dialog);
  document.body.append(host);
  dialog.showModal();
  return {
    show(words, possible) {
      state.textContent = words;
      for (const [at, [choice]] of choices.entries()) buttons[at]!.disabled = !possible.includes(choice);
    },
    close() {
      dialog.close();
      host.remove();
    },
  };
}

function element(name: string, className: string, words: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = words;
  return made;
}
