// `node shops/texts.ts`: writes the texts of Florin for WooCommerce into its .pot, which translators begin with.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mo, po } from 'gettext-parser';

const domain = 'florin-for-woocommerce';
const plugin = join(import.meta.dirname, 'woocommerce');
const languages = join(plugin, 'languages');
const template = join(languages, `${domain}.pot`);

/** A text of the PHP files; `comment` explains its placeholders to translators. */
type Text = { text: string; comment: string };

const translatable =
  /(?:\/\* translators: ([^*]+?) \*\/\s*)?(?:return \[)?(?:sprintf\()?(?<!\w)(?:esc_html__|__)\(\s*'((?:[^'\\]|\\.)*)',\s*'florin-for-woocommerce'\s*\)/g;

/** The head of the plug-in has a description, which WordPress shows translated. */
const description = /^ \* Description: (.+)$/m;

function textsIn(php: string): Text[] {
  const found = [...php.matchAll(translatable)].map(([, comment = '', text = '']) => ({
    text: text.replaceAll(/\\(.)/g, '$1'),
    comment,
  }));
  const [, head] = description.exec(php) ?? [];
  return head ? [{ text: head, comment: 'in the list of plug-ins' }, ...found] : found;
}

/** The .pot as the PHP files say that it must be, and as it is. */
export function templateOf(): { current: string; expected: string } {
  const files = globSync('**/*.php', { cwd: plugin }).sort();
  const texts = new Map<string, { msgid: string; msgstr: string[]; comments: { extracted: string } }>();
  for (const file of files) {
    for (const { text, comment } of textsIn(readFileSync(join(plugin, file), 'utf8')))
      texts.set(text, { msgid: text, msgstr: [''], comments: { extracted: comment } });
  }
  const headers = {
    'Project-Id-Version': 'Florin for WooCommerce',
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Transfer-Encoding': '8bit',
    'X-Domain': domain,
  };
  const translations = { '': Object.fromEntries(texts) };
  const expected = `${po.compile({ charset: 'utf-8', headers, translations }, { foldLength: 0 })}\n`;
  return { current: readFileSync(template, 'utf8'), expected };
}

/** The translations of a .po or .pot file; the empty text of its head is left out. */
export function translationsIn(file: string): Map<string, string> {
  const { translations } = po.parse(readFileSync(file));
  const entries = Object.values(translations[''] ?? {}).filter(({ msgid }) => msgid !== '');
  return new Map(entries.map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? '']));
}

/** The .po files of the plug-in. */
export const translated = globSync('*.po', { cwd: languages })
  .sort()
  .map((name) => join(languages, name));

/** What WordPress reads, made of a .po file, under its name: `florin-for-woocommerce-de_DE.mo`. */
export function compiled(file: string, text: Buffer = readFileSync(file)): [name: string, bytes: Buffer] {
  return [basename(file).replace(/\.po$/, '.mo'), mo.compile(po.parse(text))];
}

if (import.meta.main) writeFileSync(template, templateOf().expected);
