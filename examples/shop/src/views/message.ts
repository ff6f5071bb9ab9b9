import { type Html, html } from '../html.ts';
import { layout } from './layout.ts';

/** A page that only says something, with the way back to the shelf. */
export function messageView(title: string, words: string, testMode: boolean): Html {
  const content = html`<section class="intro">
<h1>${title}</h1>
<p>${words}</p>
<p><a class="button" href="/">To the shelf</a></p>
</section>`;
  return layout(title, testMode, content);
}
