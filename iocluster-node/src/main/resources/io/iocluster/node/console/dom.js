/** What is shown is put in as text, never as markup. */

export const byId = id => document.getElementById(id);

/** A new element with these classes and children, of which strings are text. */
export function element(tag, classes, ...children) {
  const made = document.createElement(tag);
  if (classes) {
    made.className = classes;
  }
  made.append(...children);
  return made;
}

/** Sets a text only where it differs, so that readers are told of changes alone. */
export function show(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/** Shows these texts as the items of a list; what stays is not touched. */
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
