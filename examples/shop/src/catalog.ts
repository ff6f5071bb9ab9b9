import type { Currency } from '@florin/sdk';

/** Something on the shelf. `priceCents` is in hundredths of `currency`: whole numbers add up exactly. */
export type Product = {
  slug: string;
  name: string;
  line: string;
  about: string;
  priceCents: number;
  currency: Currency;
};

/** The shelf, in the order of the front page. */
export const products: readonly Product[] = [
  {
    slug: 'ledger-notebook',
    name: 'Ledger notebook',
    line: 'A5, 192 numbered pages',
    about:
      'Thread-sewn, so that it lies flat from the first page to the last. Cream paper of 90\u00a0g that takes ink without bleeding, an index at the front, and a gold ribbon.',
    priceCents: 1800,
    currency: 'USDC',
  },
  {
    slug: 'brass-fountain-pen',
    name: 'Brass fountain pen',
    line: 'Fine steel nib, converter included',
    about:
      'Turned from one bar of brass and left bare: it darkens where your hand rests. 31\u00a0g, well balanced with the cap off.',
    priceCents: 4200,
    currency: 'USDC',
  },
  {
    slug: 'iron-gall-ink',
    name: 'Iron gall ink',
    line: '50 ml, blue-black',
    about:
      'Goes on blue and dries to a black that water does not move. Made to an old recipe, with less acid than the old recipe had.',
    priceCents: 950,
    currency: 'USDT',
  },
  {
    slug: 'letter-paper',
    name: 'Letter paper',
    line: '24 sheets, 12 envelopes',
    about:
      'Cotton paper with a torn edge, and envelopes lined in gold. Enough for twelve letters, if you keep them to two pages.',
    priceCents: 1200,
    currency: 'PI',
  },
  {
    slug: 'sealing-wax',
    name: 'Seal and wax',
    line: 'Brass stamp, two sticks of wax',
    about: 'A florin lily cut in brass, a beech handle, and wax that bends before it breaks in the post.',
    priceCents: 1650,
    currency: 'CSK',
  },
  {
    slug: 'cedar-pencils',
    name: 'Cedar pencils',
    line: 'Box of six, 2B',
    about: 'Incense cedar, graphite that glides, and no eraser at the end: you will mean what you write.',
    priceCents: 650,
    currency: 'PI',
  },
  {
    slug: 'rocker-blotter',
    name: 'Rocker blotter',
    line: 'Walnut, with ten papers',
    about:
      'For ink that is still wet and a hand that is in a hurry. Oiled walnut, papers that change in a moment.',
    priceCents: 2400,
    currency: 'USDT',
  },
  {
    slug: 'letterpress-postcard',
    name: 'Letterpress postcard',
    line: 'One card, printed by hand',
    about:
      'A single sun over a single line of sea, pressed deep into soft board. The smallest thing we sell, and a good one to try the till with.',
    priceCents: 150,
    currency: 'USDC',
  },
];

/** The product with this slug, or undefined. */
export function findProduct(slug: string): Product | undefined {
  return products.find((product) => product.slug === slug);
}

/** Hundredths as people read them, with their currency: `18.00 USDC`. */
export function formatAmount(cents: number, currency: Currency): string {
  return `${(cents / 100).toFixed(2)} ${currency}`;
}
