import { type Html, html, trusted } from '../../kit/http/html.ts';
import { FAVICON } from '../../kit/pages/favicon.ts';
import type { Heading } from './markdown.ts';

/** What every page loads, by address. */
export type SiteFiles = { style: string; script: string; index: string };

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
  const contents = page.isWide ? null : onThisPage(page.headings);
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
<body data-index="${files.index}">
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
<div id="found" hidden></div></search>
</header>
<div class="columns ${contents && 'with-here'}">
<div class="menu" id="pages"><nav aria-label="Pages">${menu.map((group) => menuGroup(group, page.address))}</nav></div>
<main id="content" tabindex="-1">
${page.main}
</main>
${contents}
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

function onThisPage(headings: readonly Heading[]): Html | null {
  const shown = headings.filter(({ level }) => level === 2);
  if (shown.length < 2) return null;
  const items = shown.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`);
  return html`<nav class="here" aria-label="On this page"><p>On this page</p><ul>${items}</ul></nav>`;
}
