import { type Language, languages } from './languages.ts';

const storedUnder = 'florin.language';

/** The language of this page: the chosen one, else the first of the browser's that the dashboard has. It stays until a reload. */
export const language: Language = typeof document === 'undefined' ? 'en' : (stored() ?? ofBrowser());

/** Shows the dashboard in another language from now on, in this browser. */
export function setLanguage(next: Language): void {
  try {
    localStorage.setItem(storedUnder, next);
  } catch {
    // Storage may be forbidden; the browser's language then stays.
  }
  location.reload();
}

function stored(): Language | undefined {
  try {
    return known(localStorage.getItem(storedUnder) ?? '');
  } catch {
    return undefined;
  }
}

function ofBrowser(): Language {
  for (const each of navigator.languages) {
    const code = known(each.split('-')[0] ?? '');
    if (code) return code;
  }
  return 'en';
}

function known(code: string): Language | undefined {
  return Object.keys(languages).find((each): each is Language => each === code);
}
