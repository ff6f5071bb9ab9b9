import { type Html, html } from '../../kit/http/html.ts';
import { linkTo, type PageContext } from '../context.ts';
import { section } from '../parts.ts';

/** Leads to `installPart`. In the installed app style sheets hide both. */
export function installLink(context: PageContext): Html {
  return html`<li class="not-installed"><a href="${linkTo(context, 'account')}#install">${context.say('installTitle')}</a></li>`;
}

/** How the pages become an app. Where the browser offers to install them, the script shows the button. */
export function installPart({ say }: PageContext): Html {
  const content = html`<ul class="ways"><li>${say('installPhone')}</li><li>${say('installOther')}</li></ul><button type="button" class="button plain" data-install hidden>${say('installButton')}</button>`;
  return html`<div class="not-installed">${section('install', say('installTitle'), content)}</div>`;
}
