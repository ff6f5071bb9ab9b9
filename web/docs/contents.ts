/** Marks in the contents beside the text where its reader is: at the last heading that came up to the upper third of the screen. */
export function followReader(): void {
  const contents = document.querySelector<HTMLElement>('.here');
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.here a')];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let isAsked = false;

  function mark(): void {
    isAsked = false;
    const { scrollHeight } = document.documentElement;
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - 2;
    const isPassed = (heading: HTMLElement | null) =>
      (heading?.getBoundingClientRect().top ?? 0) < innerHeight / 3;
    const at = isAtEnd ? links.length - 1 : headings.findLastIndex(isPassed);
    for (const [index, link] of links.entries()) {
      if (index === at) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
    const link = links[at];
    if (!contents || !link) return;
    // The contents of a long page scroll by themselves.
    const isSeen =
      link.offsetTop >= contents.scrollTop && link.offsetTop < contents.scrollTop + contents.clientHeight;
    if (!isSeen) contents.scrollTop = link.offsetTop - contents.clientHeight / 2;
  }

  function ask(): void {
    if (!isAsked) requestAnimationFrame(mark);
    isAsked = true;
  }

  if (links.length === 0) return;
  document.addEventListener('scroll', ask, { passive: true });
  addEventListener('resize', ask);
  mark();
}
