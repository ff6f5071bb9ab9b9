import { type Html, html } from '../html.ts';

/** A page of the shop around its content, with the addresses of its scripts. */
export function layout(title: string, testMode: boolean, content: Html, scripts: string[] = []): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Nib &amp; Folio</title>
<link rel="icon" href="/favicon.svg">
${sheets}
${scripts.map((script) => html`<script defer src="${script}"></script>`)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${testMode && html`<aside class="test-banner" aria-label="Test mode"><strong>TEST</strong> <span>Simulation: no real money moves.</span></aside>`}
<header class="top">
<a class="wordmark" href="/">${mark}<span>Nib <em>&amp;</em> Folio</span></a>
<nav aria-label="Shop"><a href="/">Shelf</a><a href="/orders">Orders</a></nav>
</header>
<main id="content">
${content}
</main>
<footer class="bottom">
<p>Nib &amp; Folio, things to write with. Paid in PI, USDC, USDT and CSK through Florin.</p>
</footer>
</body>
</html>`;
}

const sheets = ['tokens', 'test-banner', 'base', 'goods', 'orders'].map(
  (name) => html`<link rel="stylesheet" href="/${name}.css">`,
);

const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
<path class="fill-ink" d="M16 2 25 15 20 25H12L7 15Z"/>
<path class="stroke-paper" d="M16 4V16"/><circle class="fill-paper" cx="16" cy="17" r="2.2"/>
<path class="fill-gold" d="M11.5 27h9v3h-9z"/>
</svg>`;
