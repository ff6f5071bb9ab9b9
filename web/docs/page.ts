import { followReader } from './contents.ts';
import { openSearch } from './search.ts';

const languageName = 'florin.docs-language';
/** Notes for this visit that the reader may see no key of an integration. */
const noKeyName = 'florin.docs-no-key';

function announce(text: string): void {
  const announcer = document.querySelector('#announcer');
  if (announcer) announcer.textContent = text;
}

/** Shows every sample in the language that was chosen at one of them, and remembers it. */
function followLanguage(): void {
  const choose = (language: string) => {
    for (const input of document.querySelectorAll<HTMLInputElement>('.samples input')) {
      if (input.value === language) input.checked = true;
    }
  };
  try {
    choose(localStorage.getItem(languageName) ?? '');
  } catch {
    // A browser that keeps nothing shows the first language.
  }
  document.addEventListener('change', ({ target }) => {
    const input = target as HTMLInputElement;
    if (!input.matches('.samples input')) return;
    const before = input.getBoundingClientRect().top;
    choose(input.value);
    // What is above may have become longer: the reader keeps their place.
    scrollBy({ top: input.getBoundingClientRect().top - before, behavior: 'instant' });
    try {
      localStorage.setItem(languageName, input.value);
    } catch {
      // The choice holds for this page.
    }
  });
}

/** Puts a button beside each piece of code that copies it. Its place is kept by the style sheet. */
function addCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const frame of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(frame.querySelector('pre')?.textContent ?? '');
      button.textContent = 'Copied';
      announce('Copied');
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2_000);
    });
    frame.append(button);
  }
}

/**
 * Puts the reader's own test key into the samples, where they are signed in to the dashboard of this gateway and may see it.
 * It is asked for only in a browser that opened the dashboard before, and is never in a page that is kept.
 */
async function fillInKey(): Promise<void> {
  const places = document.querySelectorAll('.key');
  const [integration = ''] = (localStorage.getItem('florin.place') ?? '').split('/');
  if (places.length === 0 || integration === '' || sessionStorage.getItem(noKeyName) === integration) return;
  const path = `/console/integrations/${encodeURIComponent(integration)}/test/keys/secrets`;
  const answer = await fetch(path, { headers: { accept: 'application/json' } });
  const { data } = (await answer.json()) as { data: { items: { secret_key: string }[] } | null };
  const key = data?.items[0]?.secret_key;
  if (key === undefined) {
    sessionStorage.setItem(noKeyName, integration);
    return;
  }
  for (const place of places) place.textContent = key;
}

openSearch(announce);
followReader();
followLanguage();
addCopyButtons();
// Without storage or an answer the samples keep their placeholder.
fillInKey().catch(() => {});
