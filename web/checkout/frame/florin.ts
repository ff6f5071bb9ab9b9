import { mount, open } from './pop-up.ts';

/** `florin.js`: for shops without a plug-in (docs/frame.md). */
Object.assign(window, { florin: { open, mount } });

/** Where pages are: at the gateway's address, and at a shop's own domain where the script came from that. */
const source = (document.currentScript as HTMLScriptElement | null)?.src ?? '{payOrigin}';
const origins = ['{payOrigin}', new URL(source).origin];

// Without this script the link leads to the page, as one to another site always does: no stranger's page stands in the shop's.
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-florin]');
  if (!link || !origins.includes(link.origin) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(link.href);
});
