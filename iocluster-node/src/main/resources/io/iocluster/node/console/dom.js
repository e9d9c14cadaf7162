/** Inserts content as text, never as markup. */

export const byId = id => document.getElementById(id);

/** Returns a new element with these classes and children. Strings become text. */
export function element(tag, classes, ...children) {
  const created = document.createElement(tag);
  if (classes) {
    created.className = classes;
  }
  created.append(...children);
  return created;
}

/** Sets a text only if it differs, so that screen readers announce only changes. */
export function show(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/** Shows these texts as the items of a list. Does not touch unchanged items. */
export function showList(list, texts) {
  while (list.children.length > texts.length) {
    list.lastElementChild.remove();
  }
  texts.forEach((text, i) => {
    if (i === list.children.length) {
      list.append(element('li'));
    }
    show(list.children[i], text);
  });
}
