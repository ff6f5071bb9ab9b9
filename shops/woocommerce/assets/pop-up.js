// Opens the gateway's page over the shop. Without this script, or where it cannot be shown, the link leads there.
(() => {
  const link = document.getElementById('florin-pay');
  if (!link || !window.florin) return;
  const open = () =>
    window.florin.open(link.href, {
      // Only a hint: the page of the order asks the gateway itself.
      onStatus: (status) => {
        if (status === 'completed') window.location.assign(link.dataset.done);
      },
    });
  link.addEventListener('click', (event) => {
    event.preventDefault();
    open();
  });
  open();
})();
