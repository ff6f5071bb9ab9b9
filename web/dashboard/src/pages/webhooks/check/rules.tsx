import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge, type Tone } from '../../../ui/display/badge.tsx';
import { Code } from '../../../ui/display/code.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import type { Advice, Rule, Verdict } from './check.ts';
import { fixIn } from './fixes.ts';
import type { Language } from './receiver.ts';
import { verdictLooks } from './score.tsx';

const tones: Record<Verdict, Tone> = { kept: 'paid', broken: 'lost', unclear: 'waiting' };
/** Rules that need work come first. */
const order: readonly Verdict[] = ['broken', 'unclear', 'kept'];

type InLanguage = { language: Language; languageName: string };

/** Each rule with its evidence and what to change; broken ones are open. */
export function CheckRules({ rules, ...code }: { rules: readonly Rule[] } & InLanguage): ReactNode {
  const sorted = rules.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  return (
    <ul className="grid min-w-0 gap-2">
      {sorted.map((rule) => (
        <li key={rule.rule} className="min-w-0">
          <details
            open={rule.verdict === 'broken'}
            className="group min-w-0 rounded-lg border border-line bg-surface"
          >
            <summary className="flex min-h-11 items-center gap-3 rounded-lg px-3 py-2 hover:bg-sunken">
              <ChevronRight
                size={16}
                aria-hidden
                className="shrink-0 text-quiet transition-transform group-open:rotate-90"
              />
              <span className="min-w-0 flex-1 text-sm font-semibold wrap-anywhere">{rule.title}</span>
              <Badge tone={tones[rule.verdict]} icon={verdictLooks[rule.verdict].icon}>
                {verdictLooks[rule.verdict].word}
              </Badge>
            </summary>
            <div className="grid min-w-0 gap-3 border-t border-line p-3">
              <What advice={rule} {...code} />
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

export type DiagnosisProps = { diagnosis: Advice; rules: readonly Rule[] } & InLanguage;

/** What is wrong with every delivery, before the single rules. Code that a broken rule shows below is left out here. */
export function Diagnosis({ diagnosis, rules, ...code }: DiagnosisProps): ReactNode {
  const isShownBelow = rules.some(
    ({ verdict, snippet }) => verdict === 'broken' && snippet === diagnosis.snippet,
  );
  const advice = isShownBelow ? { ...diagnosis, snippet: null } : diagnosis;
  return (
    <Banner tone="lost" title={t('First: {title}', { title: diagnosis.title })}>
      <div className="grid min-w-0 gap-3">
        <What advice={advice} {...code} />
      </div>
    </Banner>
  );
}

function What({ advice, language, languageName }: { advice: Advice } & InLanguage): ReactNode {
  const { evidence, fix, snippet } = advice;
  return (
    <>
      <p className="text-sm text-pretty wrap-anywhere">{evidence}</p>
      {fix !== '' && (
        <p className="text-sm text-pretty wrap-anywhere">
          <strong className="font-semibold">{t('What to do:')}</strong> {fix}
        </p>
      )}
      {fix !== '' && snippet !== null && <Code text={fixIn(snippet, language)} label={languageName} />}
    </>
  );
}
