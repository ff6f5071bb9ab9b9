// Registers Florin at a checkout that is made of blocks; the order goes the same way as from a classic one.
(() => {
  const { createElement } = window.wp.element;
  const { decodeEntities } = window.wp.htmlEntities;
  const settings = window.wc.wcSettings.getSetting('florin_data', {});
  const title = decodeEntities(settings.title || 'Florin');
  const Words = () => decodeEntities(settings.description || '');
  window.wc.wcBlocksRegistry.registerPaymentMethod({
    name: 'florin',
    label: createElement(
      'span',
      null,
      title,
      ' ',
      createElement('img', { src: settings.icon, alt: '', width: 20, height: 20 }),
    ),
    ariaLabel: title,
    content: createElement(Words),
    edit: createElement(Words),
    canMakePayment: () => true,
    supports: { features: settings.supports || [] },
  });
})();
