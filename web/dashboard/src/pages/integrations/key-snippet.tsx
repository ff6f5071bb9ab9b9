import type { ReactNode } from 'react';
import type { Mode } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Code } from '../../ui/display/code.tsx';

/** Where to keep a new key, and a first call with it. */
export function KeySnippet({ mode, secret }: { mode: Mode; secret: string | null }): ReactNode {
  const call = [
    `export FLORIN_SECRET_KEY=${mode === 'test' && secret !== null ? secret : `sk_${mode}_...`}`,
    `curl -X PUT ${location.origin}/payment/create \\`,
    '  -H "Authorization: Bearer $FLORIN_SECRET_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"amount": 10, "currency": "USDC", "payment_type": "deposit"}'`,
  ];
  return (
    <div className="grid gap-3">
      <p>{t('Keep it on your server, in its environment or secret store; never in an app or a web page.')}</p>
      <Code label={t('A first call')} text={call.join('\n')} />
    </div>
  );
}
