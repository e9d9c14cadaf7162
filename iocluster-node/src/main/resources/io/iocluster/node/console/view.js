/** What the operator has chosen to see, in the query of the page's address, so that a link shows the same. */

/** Returns a choice; empty if there is none. */
export function choice(name) {
  return new URLSearchParams(location.search).get(name) ?? '';
}

/** Keeps a choice; an empty one is removed. */
export function choose(name, value) {
  const address = new URL(location.href);
  if (value) {
    address.searchParams.set(name, value);
  } else {
    address.searchParams.delete(name);
  }
  if (address.href !== location.href) {
    window.history.replaceState(null, '', address);
  }
}
