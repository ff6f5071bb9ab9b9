import type { ReactNode } from 'react';

/** Says that no real money moves in test mode, by stripes and by words. */
export function TestBanner(): ReactNode {
  return (
    <section aria-label="Test mode" className="striped px-4 pt-1 text-center text-sm text-on-test">
      <strong className="tracking-widest">TEST</strong> · No real money moves here.
    </section>
  );
}
