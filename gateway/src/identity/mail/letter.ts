import { directionOf, type Html, html } from '../../kit/http/html.ts';
import type { MailKind } from './kinds.ts';
import { type LetterList, listHtml, listText } from './letter-lists.ts';
import type { Letter } from './mail.ts';

/** The parts of a mail: paragraphs, lists, one link as a button, and what to do if the mail is unexpected. */
type Draft = {
  kind: MailKind;
  subject: string;
  paragraphs: string[];
  lists?: readonly LetterList[];
  action?: { label: string; url: string };
  closing: string;
  /** The colour of the button and the link, in place of the one of all mails: that of a shop. */
  accent?: string;
  /** The language of all of that, where it is not English. */
  locale?: string;
};

/** A mail in both forms. */
export function letter(draft: Draft): Letter {
  const { kind, subject, paragraphs, lists = [], action, closing, locale = 'en' } = draft;
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  return {
    kind,
    subject,
    text: `${[...(locale === 'en' ? ['Hello,'] : []), ...paragraphs, ...lists.map(listText), ...link, closing, 'Florin'].join('\n\n')}\n`,
    html: page(draft),
  };
}

/** A time in a mail. */
export function minuteOf(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A mail lists so many; the dashboard shows all. */
const mostListed = 20;

/** The first lines of a list, and how many more there are. */
export function someOf(lines: readonly string[]): string[] {
  const more = lines.length - mostListed;
  return [...lines.slice(0, mostListed), ...(more > 0 ? [`And ${more} more.`] : [])];
}

// Most mail programs keep only styles in attributes. The colours are the dashboard's light ones.
function page(draft: Draft): Html {
  const { subject, paragraphs, lists = [], action, closing, accent = '#9A6B00', locale = 'en' } = draft;
  const direction = directionOf(locale);
  const paragraph = 'margin:0 0 16px';
  return html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#FBFAF7;color:#1B1A17;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto">
<h1 style="margin:0 0 24px;font-size:20px">${subject}</h1>
${paragraphs.map((text) => html`<p style="${paragraph}">${text}</p>\n`)}${lists.map((list) => listHtml(list, direction))}${
  action &&
  html`<p style="margin:24px 0"><a href="${action.url}" style="display:inline-block;padding:12px 20px;border-radius:12px;background:${accent};color:#FFFFFF;text-decoration:none">${action.label}</a></p>
<p style="${paragraph};font-size:14px;color:#5C5850">${locale === 'en' && 'Or open this address: '}<a href="${action.url}" style="color:${accent};word-break:break-all">${action.url}</a></p>\n`
}<p style="margin:24px 0 0;font-size:14px;color:#5C5850">${closing}</p>
</div>
</body>
</html>
`;
}
