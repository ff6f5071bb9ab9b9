import { type Html, html } from '../html.ts';

/** The drawing of a product, coloured by the page's own tokens. It says nothing that the name does not. */
export function picture(slug: string): Html {
  return html`<svg class="picture" viewBox="0 0 240 180" aria-hidden="true">${drawings[slug] ?? null}</svg>`;
}

const drawings: Record<string, Html> = {
  'ledger-notebook': html`
<rect class="fill-line" x="76" y="32" width="100" height="126" rx="5"/>
<rect class="fill-paper stroke" x="72" y="28" width="100" height="124" rx="4"/>
<rect class="fill-ink" x="66" y="24" width="100" height="124" rx="5"/>
<path class="fill-gold" d="M66 29a5 5 0 0 1 5-5h8v124h-8a5 5 0 0 1-5-5z"/>
<rect class="fill-paper" x="95" y="48" width="54" height="30" rx="3"/>
<path class="stroke" d="M103 59h38M103 67h24"/>
<path class="fill-gold" d="M140 148h9v20l-4.5-4.5L140 168z"/>`,
  'brass-fountain-pen': html`
<g transform="rotate(-32 120 90)">
<rect class="fill-gold" x="74" y="80" width="122" height="20" rx="6"/>
<rect class="fill-ink" x="116" y="80" width="6" height="20"/>
<path class="fill-ink" d="M74 82v16l-14-3V85z"/>
<path class="fill-paper stroke" d="M60 85v10L28 90z"/>
<path class="stroke" d="M30 90h18"/><circle class="fill-ink" cx="50" cy="90" r="2"/>
<path class="stroke-paper" d="M130 86h56"/>
</g>
<path class="stroke-gold" d="M46 148c14-14 22 10 36-2s16 8 30 0 20 4 34-4"/>`,
  'iron-gall-ink': html`
<path class="fill-ink" d="M76 82c0-10 8-14 16-18v-6h56v6c8 4 16 8 16 18v62a10 10 0 0 1-10 10H86a10 10 0 0 1-10-10z"/>
<rect class="fill-gold" x="88" y="30" width="64" height="26" rx="5"/>
<path class="stroke" d="M100 36v14M110 36v14M120 36v14M130 36v14M140 36v14"/>
<rect class="fill-paper" x="88" y="88" width="64" height="46" rx="3"/>
<path class="fill-ink" d="M120 95c7 9 10 13 10 18a10 10 0 0 1-20 0c0-5 3-9 10-18z"/>
<path class="stroke" d="M104 128h32"/>`,
  'letter-paper': html`
<rect class="fill-paper stroke" x="78" y="22" width="84" height="96" rx="2"/>
<path class="stroke-line" d="M90 40h60M90 52h60M90 64h44"/>
<path class="fill-ink" d="M54 74h132a4 4 0 0 1 4 4v72a4 4 0 0 1-4 4H54a4 4 0 0 1-4-4V78a4 4 0 0 1 4-4z"/>
<path class="fill-gold" d="M56 74h128l-64 44z"/>
<path class="stroke-paper" d="M52 152l50-46M188 152l-50-46"/>
<circle class="fill-paper" cx="120" cy="114" r="9"/><circle class="fill-gold" cx="120" cy="114" r="5"/>`,
  'sealing-wax': html`
<path class="fill-line" d="M112 26a14 14 0 0 1 28 0c0 16-6 22-6 40h-16c0-18-6-24-6-40z"/>
<rect class="fill-gold" x="108" y="66" width="36" height="14" rx="3"/>
<path class="fill-ink" d="M96 104c-8-8 4-18 14-16 6-8 26-8 32 0 12-4 22 8 16 16 10 6 4 20-6 20-4 10-22 12-28 6-10 6-24 0-24-8-12 0-14-14-4-18z"/>
<circle class="stroke-gold" cx="127" cy="106" r="15"/>
<path class="stroke-gold" d="M127 96v20M127 104c-9-8-11 3-5 6M127 104c9-8 11 3 5 6"/>
<rect class="fill-ink" x="40" y="146" width="72" height="12" rx="2"/>
<rect class="fill-gold" x="128" y="146" width="72" height="12" rx="2"/>`,
  'cedar-pencils': html`
<g class="fill-ink"><rect x="66" y="60" width="14" height="98"/><rect x="102" y="52" width="14" height="106"/><rect x="138" y="64" width="14" height="94"/></g>
<g class="fill-gold"><rect x="84" y="48" width="14" height="110"/><rect x="120" y="66" width="14" height="92"/><rect x="156" y="50" width="14" height="108"/></g>
<path class="fill-paper stroke" d="M66 60l7-22 7 22zM84 48l7-22 7 22zM102 52l7-22 7 22zM120 66l7-22 7 22zM138 64l7-22 7 22zM156 50l7-22 7 22z"/>
<path class="fill-ink" d="M71 44l2-6 2 6zM89 32l2-6 2 6zM107 36l2-6 2 6zM125 50l2-6 2 6zM143 48l2-6 2 6zM161 34l2-6 2 6z"/>
<path class="fill-paper stroke" d="M56 112h124v50H56z"/><path class="stroke-gold" d="M70 126h96M70 148h96"/><path class="stroke" d="M98 137h40"/>`,
  'rocker-blotter': html`
<path class="fill-paper stroke" d="M44 152h152v8H44z"/>
<path class="fill-ink" d="M52 92h136c-2 40-34 58-68 58s-66-18-68-58z"/>
<path class="stroke-paper" d="M60 98c4 30 30 44 60 44s56-14 60-44"/>
<rect class="fill-gold" x="44" y="80" width="152" height="14" rx="4"/>
<path class="fill-gold" d="M114 62h12v18h-12z"/>
<path class="fill-ink" d="M102 40a18 18 0 0 1 36 0c0 12-8 22-18 22s-18-10-18-22z"/>`,
  'letterpress-postcard': html`
<g transform="rotate(-5 120 90)">
<rect class="fill-line" x="48" y="38" width="152" height="110" rx="3"/>
<rect class="fill-paper stroke" x="44" y="34" width="152" height="110" rx="3"/>
<path class="stroke" d="M58 48h124v82H58z"/>
<circle class="fill-gold" cx="120" cy="84" r="20"/>
<path class="fill-paper" d="M59 96h122v33H59z"/>
<path class="stroke" d="M66 96h108M74 106c8-5 14 5 22 0s14 5 22 0 14 5 22 0 14 5 22 0M88 117c8-5 14 5 22 0s14 5 22 0 14 5 22 0"/>
</g>`,
};
