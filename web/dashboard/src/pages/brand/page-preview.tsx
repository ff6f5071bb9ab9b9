import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { IntegrationMark } from '../integrations/integration-mark.tsx';
import type { ColorsAnswer, Settings } from './queries.ts';

/** The colours of the page in one scheme, as in `tokens.css`; `accent` is what it has without a brand. */
type Paper = { name: string; paper: string; ink: string; accent: string; onAccent: string };

const papers: Record<'light' | 'dark', Paper> = {
  light: {
    name: t('On light paper'),
    ...{ paper: '#fbfaf7', ink: '#1b1a17', accent: '#9a6b00', onAccent: '#ffffff' },
  },
  dark: {
    name: t('On dark paper'),
    ...{ paper: '#141310', ink: '#edeae2', accent: '#e3b341', onAccent: '#141310' },
  },
};

const sample = '25.00 USDC';

export type PagePreviewProps = {
  settings: Pick<Settings, 'name' | 'logo_url'>;
  sentence: string;
  /** The colour that was chosen, and what it is corrected to; null: none was, or that is not known yet. */
  chosen: string | null;
  colors: ColorsAnswer | null;
};

/** The head of the page and its button, in both schemes, whatever the dashboard's own is. */
export function PagePreview({ settings, sentence, chosen, colors }: PagePreviewProps): ReactNode {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {(['light', 'dark'] as const).map((scheme) => {
        const { name, paper, ink, accent, onAccent } = papers[scheme];
        const shown = colors?.[scheme] ?? accent;
        return (
          <figure key={scheme} className="grid min-w-0 content-start gap-2">
            <div
              className="grid gap-3 rounded-lg border border-line p-4"
              style={{ background: paper, color: ink }}
            >
              <div className="flex min-w-0 items-center gap-3 font-semibold">
                <Mark {...settings} ink={ink} />
                <span className="truncate">{settings.name}</span>
              </div>
              {sentence.trim() !== '' && <p className="text-base wrap-anywhere">{sentence}</p>}
              <p className="text-xl font-semibold tabular-nums">{sample}</p>
              <p
                className="rounded-xl px-4 py-2.5 text-center text-base font-semibold"
                style={{ background: shown, color: onAccent }}
              >
                {t('Pay {amount}', { amount: sample })}
              </p>
            </div>
            <figcaption className="text-sm text-quiet">
              <span className="font-semibold text-ink">{name}</span>
              {' · '}
              {wordsOf(chosen, colors === null ? null : shown)}
            </figcaption>
          </figure>
        );
      })}
    </div>
  );
}

/** The logo as it is; the letter of a shop without one has the colours of the page, not the dashboard's. */
function Mark({ name, logo_url, ink }: Pick<Settings, 'name' | 'logo_url'> & { ink: string }): ReactNode {
  if (logo_url !== null) return <IntegrationMark name={name} logoUrl={logo_url} />;
  return (
    <span
      aria-hidden
      className="grid size-10 shrink-0 place-items-center rounded-full border"
      style={{ borderColor: ink }}
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}

function wordsOf(chosen: string | null, shown: string | null): string {
  if (chosen === null || shown === null) return t('the page’s own colour');
  if (chosen === shown) return t('{color}, as you chose it', { color: shown });
  return t('corrected to {color}, so that it can be read there', { color: shown });
}
