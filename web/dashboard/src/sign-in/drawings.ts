const lines =
  'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
const ring = '<circle cx="12" cy="12" r="10"/>';

/** The icons of the dashboard that this page has, as they are there. */
export const icons = {
  alert: `<g ${lines}>${ring}<path d="M12 8v4M12 16h.01"/></g>`,
  check: `<g ${lines}>${ring}<path d="m16 9-5.5 5.5L8 12"/></g>`,
  info: `<g ${lines}>${ring}<path d="M12 16v-4M12 8h.01"/></g>`,
  key: `<g ${lines}><path d="M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z"/><circle cx="16.5" cy="7.5" r=".5" fill="currentColor"/></g>`,
} as const;

/** Florin's coin, on 32 by 32. */
const coinLines = `<circle cx="16" cy="16" r="15" fill="currentColor"/><g fill="none" stroke="var(--on-accent)"><circle cx="16" cy="16" r="11.5" stroke-width="1.5" stroke-dasharray="1 1.6"/><path d="M13 23V11.6c0-1.7 1.1-2.9 2.9-2.9h3.6M10.9 15.4h7" stroke-width="2.4" stroke-linecap="round"/></g>`;

/** A drawing that says nothing to screen readers. `markup` is ours alone. */
export function drawing(markup: string, size: number, classes: string, box = 24): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const attributes = { width: size, height: size, viewBox: `0 0 ${box} ${box}`, 'aria-hidden': true };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, `${value}`);
  svg.setAttribute('class', classes);
  svg.innerHTML = markup;
  return svg;
}

export const coin = (): SVGSVGElement => drawing(coinLines, 28, 'shrink-0 text-accent', 32);
