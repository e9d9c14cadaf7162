/** What the operator has chosen to see, in the query of the page's address, so that a link shows the same. */

/** Returns a choice; empty if there is none. */
export function choice(name) {
  return new URLSearchParams(location.search).get(name) ?? '';
}

/** Returns the address of the page with another choice; an empty one is removed. */
export function addressWith(name, value) {
  const address = new URL(location.href);
  if (value) {
    address.searchParams.set(name, value);
  } else {
    address.searchParams.delete(name);
  }
  return address;
}

/** Keeps a choice; an empty one is removed. */
export function choose(name, value) {
  const address = addressWith(name, value);
  if (address.href !== location.href) {
    window.history.replaceState(null, '', address);
  }
}

/**
 * Opens an address of this page without loading it again. Ignores a click that opens a new tab or ends the selection of a text.
 * Returns whether the address was opened.
 */
export function follow(event, address) {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !getSelection().isCollapsed) {
    return false;
  }
  event.preventDefault();
  window.history.pushState(null, '', address);
  return true;
}
