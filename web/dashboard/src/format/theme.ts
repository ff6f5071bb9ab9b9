export const themes = ['system', 'light', 'dark'] as const;
export type Choice = (typeof themes)[number];

const storedUnder = 'florin.theme';
const darkRule = '(prefers-color-scheme: dark)';
const listeners = new Set<() => void>();
let chosen: Choice = readChoice();

function readChoice(): Choice {
  try {
    const stored = localStorage.getItem(storedUnder);
    return themes.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

export function chosenTheme(): Choice {
  return chosen;
}

/** Shows the dashboard in these colours from now on, here and after a reload. */
export function setTheme(next: Choice): void {
  chosen = next;
  try {
    localStorage.setItem(storedUnder, next);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

/** Calls `listener` after each choice; returns what ends that. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const darkRules = new Set<CSSMediaRule>();

/**
 * The style sheets have each colour once for light and once, behind the system's wish, for dark. The choice decides
 * whether those rules hold.
 */
export function applyTheme(): void {
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSMediaRule && rule.media.mediaText === darkRule) darkRules.add(rule);
    }
  }
  const media = { system: darkRule, light: 'not all', dark: 'all' }[chosen];
  for (const rule of darkRules) rule.media.mediaText = media;
  document.documentElement.style.colorScheme = chosen === 'system' ? '' : chosen;
}
