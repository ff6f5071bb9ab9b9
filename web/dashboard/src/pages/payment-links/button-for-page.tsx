import { type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import { Code } from '../../ui/display/code.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { type ButtonLook, buttonHtml, buttonLooks, buttonStyle, coinLetter } from './button-html.ts';
import type { LinkData } from './queries.ts';

const lookWords: Record<ButtonLook, string> = {
  filled: t('Filled'),
  outlined: t('Outlined'),
  soft: t('Soft'),
};
const looks = buttonLooks.map((value) => ({ value, label: lookWords[value] }));
const gold = '#9a6b00';

/** A link as a button for a page of the merchant's: how it looks, and the HTML to paste. */
export function ButtonForPage({ link }: { link: LinkData }): ReactNode {
  const { url, title } = link;
  const [look, setLook] = useState<ButtonLook>('filled');
  const [colour, setColour] = useState(gold);
  const [words, setWords] = useState(title);
  const style = buttonStyle({ look, colour });
  return (
    <Section
      title={t('Button for your page')}
      description={t('Plain HTML: paste it where customers pay. It needs no script.')}
    >
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Select
          label={t('Look')}
          value={look}
          onChange={({ target }) => setLook(buttonLooks.find((each) => each === target.value) ?? 'filled')}
          choices={looks}
        />
        <Input
          label={t('Colour')}
          type="color"
          className="p-1"
          value={colour}
          onChange={({ target }) => setColour(target.value)}
        />
      </div>
      <Input
        label={t('Words')}
        value={words}
        maxLength={120}
        autoComplete="off"
        onChange={({ target }) => setWords(target.value)}
      />
      <div className="grid place-items-center rounded-lg border border-line p-6">
        <a href={url} target="_blank" rel="noreferrer" style={style}>
          <Coin ground={style.background} />
          {words}
        </a>
      </div>
      <Code text={buttonHtml(link, { look, colour, words })} label={t('HTML of the button')} />
    </Section>
  );
}

function Coin({ ground }: { ground: string }): ReactNode {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="15" fill="currentColor" />
      <g fill="none" stroke={ground}>
        <circle cx="16" cy="16" r="11.5" strokeWidth="1.5" strokeDasharray="1 1.6" />
        <path d={coinLetter} strokeWidth="2.4" strokeLinecap="round" />
      </g>
    </svg>
  );
}
