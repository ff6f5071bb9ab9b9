import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Coins, Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { veilClass } from '../../ui/dialog/dialog.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Money } from '../../ui/display/money.tsx';
import { StatusBadge } from '../../ui/display/status-badge.tsx';
import { usePlace } from '../nav/place.ts';
import { type Entry, entriesOf, matching, searchesFor } from './entries.ts';
import { type FoundPayment, useFound } from './find.ts';

type Option = { key: string; node: ReactNode; choose: () => void };

const mostEntries = 8;

/** Finds payments of both modes, pages and actions by any part of their names. */
export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const session = useSession();
  const place = usePlace();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const words = text.trim();
  const found = useFound(place.integration?.id, words);
  const entries = useMemo(() => entriesOf(session, place), [session, place]);
  const isAsking = found.isFetching && (found.data === undefined || found.isPlaceholderData);
  const payments = words === '' || found.isPlaceholderData ? [] : (found.data?.items ?? []);

  const chooseEntry =
    ({ to, run }: Entry) =>
    () => {
      onClose();
      if (to) void navigate(to);
      // The palette is gone by then, and what it opens may take its place.
      if (run) queueMicrotask(run);
    };
  const choosePayment =
    ({ mode, payment_reference: reference }: FoundPayment) =>
    () => {
      onClose();
      const params = { integration: place.integration?.id ?? '', mode, reference };
      void navigate({ to: '/i/$integration/$mode/payments/$reference', params });
    };
  const optionOf = (entry: Entry): Option => ({
    key: entry.key,
    node: <EntryLine entry={entry} />,
    choose: chooseEntry(entry),
  });
  const options: Option[] = [
    ...matching(entries, words).slice(0, mostEntries).map(optionOf),
    ...payments.map((payment) => ({
      key: `${payment.mode} ${payment.payment_reference}`,
      node: <PaymentLine payment={payment} />,
      choose: choosePayment(payment),
    })),
    ...searchesFor(words, session, place).map(optionOf),
  ];
  const chosen = Math.min(at, options.length - 1);
  // Whoever pastes and presses Enter at once gets what is found a moment later.
  const enter = useRef(false);
  useEffect(() => {
    if (isAsking || !enter.current) return;
    enter.current = false;
    options[0]?.choose();
  });

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setAt((chosen + step + options.length) % options.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isAsking && chosen === 0) enter.current = true;
      else options[chosen]?.choose();
    }
  }

  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={veilClass} />
        <Radix.Content
          aria-describedby={undefined}
          className="appear fixed top-[12dvh] left-1/2 z-50 flex max-h-[70dvh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-soft"
        >
          <Radix.Title className="sr-only">{t('Find')}</Radix.Title>
          <Box
            text={text}
            onText={(next) => {
              setText(next);
              setAt(0);
              enter.current = false;
            }}
            onKeyDown={press}
            chosen={options.length > 0 ? chosen : undefined}
          />
          <Options options={options} chosen={chosen} isAsking={isAsking} onPoint={setAt} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const listId = 'palette-list';
const optionId = (at: number): string => `palette-option-${at}`;

type BoxProps = {
  text: string;
  onText: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  chosen: number | undefined;
};

function Box({ text, onText, onKeyDown, chosen }: BoxProps): ReactNode {
  return (
    <div className="relative border-b border-line">
      <Search size={18} aria-hidden className="pointer-events-none absolute top-4 left-4 text-quiet" />
      <input
        role="combobox"
        aria-label={t('Find a payment, a page or an action')}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen === undefined ? undefined : optionId(chosen)}
        placeholder={t('Reference, hash, address, e-mail, page or action')}
        value={text}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-12 w-full bg-transparent pr-4 pl-11 text-base outline-none placeholder:text-quiet"
      />
    </div>
  );
}

type OptionsProps = {
  options: readonly Option[];
  chosen: number;
  isAsking: boolean;
  onPoint: (at: number) => void;
};

function Options({ options, chosen, isAsking, onPoint }: OptionsProps): ReactNode {
  const status = useId();
  useEffect(() => {
    document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <>
      <div id={listId} role="listbox" aria-label={t('Found')} className="grid overflow-y-auto p-1.5">
        {options.map(({ key, node, choose }, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box, which keeps the focus
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={key}
            id={optionId(at)}
            role="option"
            aria-selected={at === chosen}
            onClick={choose}
            onPointerMove={() => onPoint(at)}
            className={clsx(
              'flex min-h-10 min-w-0 cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1 text-sm',
              at === chosen && 'bg-sunken',
            )}
          >
            {node}
          </div>
        ))}
      </div>
      <p id={status} role="status" className="px-4 py-2 text-sm text-quiet empty:hidden">
        {isAsking ? t('Searching payments') : options.length === 0 ? t('Nothing is found') : ''}
      </p>
    </>
  );
}

function EntryLine({ entry: { label, hint, icon: Icon } }: { entry: Entry }): ReactNode {
  return (
    <>
      <Icon size={17} aria-hidden className="shrink-0 text-quiet" />
      <span className="shrink-0">{label}</span>
      <span className="ml-auto truncate text-quiet">{hint}</span>
    </>
  );
}

function PaymentLine({ payment }: { payment: FoundPayment }): ReactNode {
  const { mode, payment_reference: reference, payment_status, amount, currency, customer_email } = payment;
  const { paid_amount: paid, paid_currency: coin } = payment;
  return (
    <>
      <Coins size={17} aria-hidden className="shrink-0 text-quiet" />
      <span className="grid min-w-0 flex-1">
        <span className="truncate font-mono">{reference}</span>
        <span className="truncate text-quiet">
          <Money amount={amount} currency={currency} />
          {paid !== null && coin !== null && coin !== currency && (
            <>
              {' · '}
              <Money amount={paid} currency={coin} />
            </>
          )}
          {customer_email !== null && ` · ${customer_email}`}
        </span>
      </span>
      {mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
      <StatusBadge status={payment_status} />
    </>
  );
}
