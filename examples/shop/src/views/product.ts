import { formatAmount, type Product } from '../catalog.ts';
import { type Html, html } from '../html.ts';
import type { Mode } from '../store.ts';
import { layout } from './layout.ts';
import { picture } from './pictures.ts';

/** A form that could not be taken: what is wrong, and what was filled in. */
export type FormFault = { fault: string; fields: URLSearchParams };

/** How the shop takes money for a product: with more than one mode the customer chooses. */
export type Offer = { testMode: boolean; modes: Mode[]; liveNote: string };

/** A product with the form that buys it. */
export function productView(product: Product, offer: Offer, wrong?: FormFault): Html {
  return layout(
    product.name,
    offer.testMode,
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
${offer.modes.length > 1 && modeChoice(offer, wrong?.fields.get('mode') ?? 'test')}
<button class="button" type="submit">Buy</button>
<button class="button plain" type="submit" name="pay" value="here">Pay in a pop-up</button>
<p class="small quiet">You pay next, in ${product.currency}. Nothing is charged before that.</p>
</form>
</div>
</article>`,
  );
}

function modeChoice({ liveNote }: Offer, chosen: string): Html {
  const option = (mode: Mode, title: string, words: string) =>
    html`<label class="option"><input type="radio" name="mode" value="${mode}"${chosen === mode && html` checked`}>
<span><strong>${title}</strong><br><span class="small quiet">${words}</span></span></label>`;
  return html`<fieldset class="options"><legend>Payment</legend>
${option('test', 'Test', 'Simulated: you press a button instead of paying.')}
${option('live', 'Live, with a wallet', liveNote)}
</fieldset>`;
}
