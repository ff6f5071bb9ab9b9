import type { ErrorRow } from '../../kit/errors.ts';
import { html, trusted } from '../../kit/http/html.ts';
import type { ApiDescription, OpenApi } from '../document/document.ts';
import type { MenuGroup, SitePage } from './layout.ts';
import { anchorOf, codeBlock } from './markdown.ts';
import { inline, table } from './markup.ts';
import { callsOfTag, describeCall, headingOf } from './reference.ts';
import type { Place } from './search/search-index.ts';

/** A page of the reference with what the search finds on it. */
export type ReferencePage = SitePage & { purpose: string; parts: Place[] };

const addressOf = (tag: string): string => `/reference/${anchorOf(tag)}`;
const webhooksTag = 'Webhooks';

/** The menu of the reference. */
export function referenceMenu({ tags }: OpenApi): MenuGroup[] {
  const groups = tags.filter(({ name }) => name !== webhooksTag);
  return [
    { name: 'Calls', pages: groups.map(({ name }) => ({ title: name, address: addressOf(name) })) },
    {
      name: 'Answers',
      pages: [
        { title: 'Webhooks', address: addressOf(webhooksTag) },
        { title: 'Errors', address: '/reference/errors' },
      ],
    },
  ];
}

/** Every page of the reference; the document has no references to its own parts. */
export function referencePages(api: ApiDescription, errors: readonly ErrorRow[]): ReferencePage[] {
  const { document } = api;
  const groups = document.tags.filter(({ name }) => name !== webhooksTag);
  return [
    indexPage(document),
    ...groups.map(({ name, description }) => callsPage(api, name, description)),
    webhooksPage(document),
    errorsPage(errors),
  ];
}

function indexPage(document: OpenApi): ReferencePage {
  const groups = document.tags.filter(({ name }) => name !== webhooksTag);
  const lists = groups.map(({ name, description }) => {
    const rows = callsOfTag(document, name).map(({ name: call, operation }) => [
      html`<a href="${addressOf(name)}#${operation.operationId}">${operation.summary}</a>`,
      html`<code>${call}</code>`,
    ]);
    return html`<h2 id="${anchorOf(name)}">${name}</h2><p>${description}</p>${table(['call', 'request'], rows, name)}`;
  });
  const purpose =
    'Every call of the merchant API, with a request in five languages and an answer as a gateway gave it.';
  const main = html`<h1>API reference</h1>
<p class="lead">${purpose}</p>
<p>All calls take <code>Authorization: Bearer sk_...</code> and answer <code>{"message", "data"}</code>. Read <a href="/docs/api">what
holds for all calls</a> first. <a href="${addressOf(webhooksTag)}">Webhooks</a> and <a href="/reference/errors">errors</a> have pages of
their own. Programs read the same in <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>
${lists}`;
  const headings = groups.map(({ name }) => ({ level: 2, text: name, id: anchorOf(name) }));
  return { title: 'API reference', address: '/reference/', purpose, main, headings, parts: [] };
}

function callsPage({ document, sdkCalls }: ApiDescription, tag: string, description: string): ReferencePage {
  const calls = callsOfTag(document, tag);
  const baseUrl = document.servers[0]?.url ?? '';
  const main = html`<h1>${tag}</h1><p class="lead">${description}</p>
${calls.map((call) => describeCall(call, { baseUrl, sdkCall: sdkCalls[call.name] ?? '' }))}`;
  const parts = calls.map(({ name, operation: { operationId, summary, description: text = '' } }) => {
    return { anchor: operationId, heading: summary, text: `${name} ${operationId} ${text}` };
  });
  const headings = calls.map(headingOf);
  return { title: tag, address: addressOf(tag), purpose: description, main, headings, parts, isWide: true };
}

function webhooksPage({ webhooks }: OpenApi): ReferencePage {
  const events = Object.entries(webhooks).map(([type, { post }]) => ({ type, post }));
  const headers = (events[0]?.post.parameters ?? []).map(({ name, description = '' }) => [
    html`<code>${name}</code>`,
    inline(description),
  ]);
  const bodies = events.map(({ type, post }) => {
    const example = post.requestBody?.content['application/json'].example;
    return html`<h2 id="${type}"><code>${type}</code></h2><p>${post.summary}.</p>
${trusted(codeBlock(JSON.stringify(example, null, 2), 'json'))}`;
  });
  const purpose =
    'What Florin sends to your webhook endpoints: one POST with a flat JSON object for each event.';
  const main = html`<h1>Webhooks</h1>
<p class="lead">${purpose}</p>
<p><a href="/docs/webhooks">The guide</a> shows how to verify a webhook in Node, Python, PHP and Go, and when it is sent again.</p>
<h2 id="headers">Headers</h2>${table(['header', 'value'], headers, 'Headers of webhooks')}
${bodies}`;
  const headings = ['headers', ...events.map(({ type }) => type)].map((id) => ({ level: 2, text: id, id }));
  const parts = events.map(({ type, post }) => ({ anchor: type, heading: type, text: post.summary }));
  return { title: 'Webhooks', address: addressOf(webhooksTag), purpose, main, headings, parts };
}

function errorsPage(errors: readonly ErrorRow[]): ReferencePage {
  const rows = errors.map(({ status, slug, code, message, retryable }) => [
    html`<code id="${slug}">${slug}</code>`,
    html`${status}`,
    html`${code}`,
    html`${message}`,
    html`${retryable ? 'yes' : 'no'}`,
  ]);
  const purpose = 'Every error by the name and number that programs read.';
  const main = html`<h1>Errors</h1>
<p class="lead">A refusal has <code>data: null</code>, and its reason in <code>error</code> and <code>code</code>, which never change.</p>
<p><a href="/docs/errors">What to do about each</a> has a page of its own.</p>
${table(['error', 'status', 'code', 'message', 'may succeed later'], rows, 'Errors')}`;
  const parts = errors.map(({ slug, message }) => ({ anchor: slug, heading: slug, text: message }));
  return { title: 'Errors', address: '/reference/errors', purpose, main, headings: [], parts };
}
