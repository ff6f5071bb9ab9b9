import type { ReactNode } from 'react';

/** Says that everything here is play money, by stripes and by words. */
export function TestBanner(): ReactNode {
  return (
    <section aria-label="Test mode" className="striped px-4 pt-1 text-center text-sm text-on-test">
      <strong className="tracking-widest">TEST</strong> · No real money moves here.
    </section>
  );
}
