import { formatAmount, type Product } from '../catalog.ts';
import { type Html, html } from '../html.ts';
import { layout } from './layout.ts';
import { picture } from './pictures.ts';

/** The front page: everything on the shelf. */
export function shelfView(products: readonly Product[], testMode: boolean): Html {
  return layout(
    'Things to write with',
    testMode,
    html`<section class="intro">
<h1>Things to write with</h1>
<p>Paper that takes ink, ink that stays, and a pen between the two. Made in small lots, paid in crypto, posted within two days.</p>
</section>
<ul class="shelf">${products.map(card)}</ul>`,
  );
}

function card(product: Product): Html {
  return html`<li class="card">
${picture(product.slug)}
<h2><a href="/products/${product.slug}">${product.name}</a></h2>
<p class="quiet">${product.line}</p>
<p class="price">${formatAmount(product.priceCents, product.currency)}</p>
</li>`;
}
