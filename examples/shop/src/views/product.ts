import { formatAmount, type Product } from '../catalog.ts';
import { type Html, html } from '../html.ts';
import { layout } from './layout.ts';
import { picture } from './pictures.ts';

/** A form that could not be taken: what is wrong, and what was filled in. */
export type FormFault = { fault: string; fields: URLSearchParams };

/** A product with the form that buys it. */
export function productView(product: Product, testMode: boolean, wrong?: FormFault): Html {
  return layout(
    product.name,
    testMode,
    html`<article class="product">
<div class="plate">${picture(product.slug)}</div>
<div class="column">
<p class="back"><a href="/">All goods</a></p>
<h1>${product.name}</h1>
<p class="quiet">${product.line}</p>
<p class="price large">${formatAmount(product.priceCents, product.currency)}</p>
<p>${product.about}</p>
<form class="buy" method="post" action="/orders">
${wrong !== undefined && html`<p class="fault" id="fault" role="alert">${wrong.fault}</p>`}
<input type="hidden" name="product" value="${product.slug}">
<p class="field"><label for="quantity">Quantity</label>
<input class="short" id="quantity" name="quantity" type="number" inputmode="numeric" min="1" max="20" required value="${wrong?.fields.get('quantity') ?? '1'}"></p>
<p class="field"><label for="email">E-mail for the receipt <span class="quiet">(optional)</span></label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${wrong?.fields.get('email') ?? ''}"></p>
<button class="button" type="submit">Buy</button>
<p class="small quiet">You pay on the next page, in ${product.currency}. Nothing is charged before that.</p>
</form>
</div>
</article>`,
  );
}
