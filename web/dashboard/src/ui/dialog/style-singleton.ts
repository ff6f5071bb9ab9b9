import { useEffect } from 'react';

/**
 * Replaces the package of this name, by which Radix's dialogs and menus stop the page behind them from
 * scrolling. It adopts a constructed style sheet where the original adds a <style> element, which a content
 * security policy without `unsafe-inline` refuses.
 */
export function styleSingleton(): (props: { styles: string; dynamic?: boolean }) => null {
  let sheet: CSSStyleSheet | undefined;
  let users = 0;

  function add(styles: string): () => void {
    users += 1;
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      document.adoptedStyleSheets.push(sheet);
    }
    return remove;
  }

  function remove(): void {
    users -= 1;
    if (users > 0) return;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet);
    sheet = undefined;
  }

  // biome-ignore lint/correctness/noComponentHookFactories: this is the interface of the package
  return function Sheet({ styles }) {
    useEffect(() => add(styles), [styles]);
    return null;
  };
}
