import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { takeHandover } from './handover.ts';

// Taken when the module loads: a component may be shown twice.
const handover = takeHandover(new URLSearchParams(location.search).get('to'));

/** Posts a key to the shop that asked for it. Only this page may: its policy names that origin alone. */
export function SendPage(): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    form.current?.submit();
    setSent(true);
  }, []);
  if (!handover)
    return (
      <main className="mx-auto grid max-w-lg gap-4 p-6">
        <h1 className="text-lg font-semibold">{t('Connect a shop')}</h1>
        <Banner tone="waiting" title={t('There is nothing to send')}>
          {t('Start again in your shop.')}
        </Banner>
      </main>
    );
  const { redirect, fields } = handover;
  return (
    <main className="mx-auto grid max-w-lg gap-4 p-6">
      <h1 className="text-lg font-semibold wrap-anywhere">
        {t('Going back to {host}', { host: new URL(redirect).host })}
      </h1>
      <form ref={form} method="post" action={redirect}>
        {fields.map(({ name, value }) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        {isSent && <Button type="submit">{t('Continue')}</Button>}
      </form>
    </main>
  );
}
