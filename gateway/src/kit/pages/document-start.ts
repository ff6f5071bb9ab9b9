import { directionOf, type Html, html } from '../http/html.ts';

/** How every page for customers begins, up to its title: in both colours, and found by no search engine. */
export function documentStart(locale: string): Html {
  return html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">`;
}
