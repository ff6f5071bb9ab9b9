import { Link } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Mode } from '../../../api/scope.ts';
import { useKeyWord } from '../../../api/test-key.ts';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';

/** What to do first: the same in the dashboard and by a call. */
export function NoEndpoints({ mode }: { mode: Mode }): ReactNode {
  const key = useKeyWord();
  const command = [
    `curl ${location.origin}/webhook-endpoints \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"url": "https://shop.example.com/webhooks/florin"}'`,
  ].join('\n');
  return (
    <EmptyState icon={Webhook} title={t('No endpoint yet')} code={command}>
      {rich(
        'Create an endpoint with the address of your server that takes webhooks, here or by the call below with your {mode} key. Events that happen before are kept for 30 days, and can be sent afterwards. {link}',
        {
          mode: ofGateway(mode),
          link: (
            <Link
              to="."
              search={{ tab: 'verify' }}
              className="text-accent-strong underline underline-offset-4"
            >
              {t('What your server has to check')}
            </Link>
          ),
        },
      )}
    </EmptyState>
  );
}
