import { html } from '../../kit/http/html.ts';
import { priceCurrencies } from '../../money/price-currencies.ts';
import { linkTo, type PageContext, type View } from '../context.ts';
import { button, postForm } from '../parts.ts';

/** The choice of the currency in which a user sees what their coins are worth. */
export function currencyView(context: PageContext): View {
  const { say, locale, session } = context;
  const names = new Intl.DisplayNames(locale, { type: 'currency' });
  const chosen = session?.user.valueCurrency ?? '';
  const choices = priceCurrencies.map(
    (code) =>
      html`<option value="${code}" ${code === chosen && html`selected`}>${code} · ${names.of(code) ?? code}</option>`,
  );
  return {
    title: say('valueTitle'),
    nav: 'home',
    main: html`<h1>${say('valueTitle')}</h1><p class="lead plain">${say('valueLead')}</p>
${postForm(
  context,
  'currency',
  html`<div class="field"><label for="currency">${say('valueCurrency')}</label><select id="currency" name="currency"><option value="">${say('valueOff')}</option>${choices}</select></div>${button(say('emailSave'))}`,
)}
<ul class="links"><li><a href="${linkTo(context, '')}">${say('back')}</a></li></ul>`,
  };
}
