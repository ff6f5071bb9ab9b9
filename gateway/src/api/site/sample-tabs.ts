import { type Html, html, trusted } from '../../kit/http/html.ts';

/** A sample in one language: its code is markup. */
export type Sample = { name: string; code: Html };

/** Samples in several languages, one shown at a time. Without the script each group of them has its own choice. */
export function sampleTabs(id: string, samples: readonly Sample[]): Html {
  const choices = samples.map(
    ({ name }, index) =>
      html`<label><input type="radio" name="language-${id}" value="${name}" ${index === 0 && trusted('checked')}>${name}</label>`,
  );
  const blocks = samples.map(
    ({ name, code }) => html`<div class="sample" data-sample="${name}">${code}</div>`,
  );
  return html`<div class="samples"><fieldset><legend class="visually-hidden">Language of the sample</legend>${choices}</fieldset>
${blocks}</div>`;
}
