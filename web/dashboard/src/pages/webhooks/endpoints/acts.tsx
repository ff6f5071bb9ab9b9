import { Link } from '@tanstack/react-router';
import {
  CirclePause,
  ClipboardCheck,
  EllipsisVertical,
  Eye,
  Play,
  RefreshCw,
  Send,
  Tornado,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useMay, useScope } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { buttonClass } from '../../../ui/button/button.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { Menu, type MenuItem } from '../../../ui/button/menu.tsx';
import type { Endpoint } from '../types/endpoint.ts';
import { useSetStatus } from './use-set-status.ts';

/**
 * What is done to an endpoint: `check` and `chaos` have drawers of their own, the others dialogs; `missed` is a
 * replay of what was missed.
 */
export type EndpointAct = 'test' | 'replay' | 'missed' | 'reveal' | 'roll' | 'remove' | 'check' | 'chaos';

export type ActsProps = { endpoint: Endpoint; onAct: (act: EndpointAct) => void };

/** What can be done to an endpoint, by those who may. */
export function EndpointActs({ endpoint, onAct }: ActsProps): ReactNode {
  const { mode } = useScope();
  const may = useMay('manage webhooks');
  const mayResend = useMay('resend webhooks');
  const setStatus = useSetStatus(endpoint);
  const isActive = endpoint.status === 'active';
  // What the BTCPay door sends, Florin does not make up.
  const mayTest = may && mode === 'test' && endpoint.format === 'florin';
  const tests: MenuItem[] = [
    { label: t('Check the receiver…'), icon: ClipboardCheck, onSelect: () => onAct('check') },
    { label: t('Send a test event…'), icon: Send, onSelect: () => onAct('test') },
    { label: t('Chaos…'), icon: Tornado, onSelect: () => onAct('chaos') },
    'line',
  ];
  const replay: MenuItem = { label: t('Send again…'), icon: RefreshCw, onSelect: () => onAct('replay') };
  const manage: MenuItem[] = [
    {
      label: isActive ? t('Pause') : t('Activate'),
      icon: isActive ? CirclePause : Play,
      onSelect: () => setStatus.mutate(isActive ? 'paused' : 'active'),
    },
    'line',
    { label: t('Show the secret…'), icon: Eye, onSelect: () => onAct('reveal') },
    { label: t('Roll the secret…'), icon: RefreshCw, onSelect: () => onAct('roll') },
    'line',
    { label: t('Remove…'), icon: Trash2, danger: true, onSelect: () => onAct('remove') },
  ];
  const items = [...(mayTest ? tests : []), ...(mayResend ? [replay] : []), ...(may ? manage : [])];
  if (items.length === 0) return null;
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-end gap-1">
      {mayTest && (
        <button
          type="button"
          className={`${buttonClass('quiet', 'small')} max-sm:hidden`}
          onClick={() => onAct('check')}
          aria-label={t('Check the receiver at {url}', { url: endpoint.url })}
        >
          <ClipboardCheck size={15} aria-hidden /> {t('Check')}
        </button>
      )}
      {may && (
        <Link
          to="."
          search={(now: object) => ({ ...now, edit: endpoint.id })}
          className={buttonClass('quiet', 'small')}
          aria-label={t('Edit {url}', { url: endpoint.url })}
        >
          {t('Edit')}
        </Link>
      )}
      <Menu
        trigger={<IconButton icon={EllipsisVertical} label={t('More about {url}', { url: endpoint.url })} />}
        items={items}
      />
    </div>
  );
}
