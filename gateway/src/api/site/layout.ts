import { type Html, html, trusted } from '../../kit/http/html.ts';
import { FAVICON } from '../../kit/pages/favicon.ts';
import type { Heading } from './markdown.ts';

/** What every page loads, by address. */
export type SiteFiles = { style: string; script: string; finder: string; index: string };

/** A part of the menu: a group of pages. */
export type MenuGroup = { name: string; pages: { title: string; address: string }[] };

export type SitePage = {
  title: string;
  address: string;
  main: Html;
  headings: readonly Heading[];
  /** Samples stand beside the text, so that there is no room for a list of its headings. */
  isWide?: boolean;
};

/** The whole document of a page; `menu` is that of its side of the site. */
export function layout(page: SitePage, menu: readonly MenuGroup[], files: SiteFiles): string {
  const isReference = page.address.startsWith('/reference');
  const contents = contentsOf(page.headings);
  const beside = page.isWide ? null : contents;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#141310" media="(prefers-color-scheme: dark)">
<title>${page.title} · Florin</title>
<link rel="icon" href="${FAVICON}">
<link rel="stylesheet" href="${files.style}">
<script type="module" src="${files.script}"></script>
</head>
<body data-index="${files.index}" data-finder="${files.finder}">
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="/docs/"><span class="coin" aria-hidden="true">F</span>Florin</a>
<nav aria-label="Florin"><ul>
<li><a href="/docs/" ${!isReference && trusted('aria-current="true"')}>Docs</a></li>
<li><a href="/reference/" ${isReference && trusted('aria-current="true"')}>Reference</a></li>
<li><a href="/app/">Dashboard</a></li>
<li class="to-pages"><a href="#pages">All pages</a></li>
</ul></nav>
<search hidden><label for="search" class="visually-hidden">Search the docs</label>
<input id="search" type="search" placeholder="Search  /" autocomplete="off" spellcheck="false" aria-controls="found">
<div id="found" role="region" aria-label="What was found" hidden></div></search>
</header>
<div class="columns ${beside && 'with-here'}">
<div class="menu" id="pages"><nav aria-label="Pages">${menu.map((group) => menuGroup(group, page.address))}</nav></div>
<main id="content" tabindex="-1">
${withContents(page.main, contents)}
</main>
${beside && html`<nav class="here" aria-label="On this page"><p>On this page</p>${beside}</nav>`}
</div>
<div id="announcer" class="visually-hidden" role="status"></div>
</body>
</html>
`;
  return document.markup;
}

function menuGroup({ name, pages }: MenuGroup, here: string): Html {
  const items = pages.map(
    ({ title, address }) =>
      html`<li><a href="${address}" ${address === here && trusted('aria-current="page"')}>${title}</a></li>`,
  );
  return html`<p>${name}</p><ul>${items}</ul>`;
}

/** Headings of the third level are left out of contents that would be longer than this. */
const mostContents = 30;

function contentsOf(headings: readonly Heading[]): Html | null {
  const isShown = headings.filter(({ level }) => level === 2 || level === 3);
  const shown = isShown.length > mostContents ? isShown.filter(({ level }) => level === 2) : isShown;
  if (shown.length < 2) return null;
  const items = shown.map(
    ({ id, text, level }) =>
      html`<li ${level === 3 && trusted('class="inner"')}><a href="#${id}">${text}</a></li>`,
  );
  return html`<ul>${items}</ul>`;
}

/** A page whose contents open below its title: the style sheet shows them where there is no room for them beside the text. */
function withContents(main: Html, contents: Html | null): Html {
  if (!contents) return main;
  const below = html`<details class="contents"><summary>On this page</summary><nav aria-label="On this page">${contents}</nav></details>`;
  return trusted(main.markup.replace('</h1>', (end) => `${end}\n${below.markup}`));
}
