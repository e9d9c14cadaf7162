import { element, show } from './dom.js';
import { NONE, count } from './text.js';
import { choice, choose } from './view.js';

/**
 * What the operator chose to see of a table: the words that a row must contain, and the column to sort by. The first click on a
 * heading sorts by its column, with the largest number or the first letter at the top. The second click reverses the order, and the
 * third restores the given one. On narrow screens a list of the columns replaces the headings. If the table has a name, the address
 * of the page keeps the choice.
 */
export class TableView {
  #headings;
  #name;
  #changed;
  #words = [];
  #sort = null;
  #buttons;
  #filter;
  #found;
  #order;

  /**
   * @param name the table's name in the address and in the labels; undefined for none
   * @param changed runs after each choice
   */
  constructor(headings, name, changed) {
    this.#headings = headings;
    this.#name = name;
    this.#changed = changed;
    this.#buttons = headings.map((heading, column) => {
      const button = element('button', 'sort', heading);
      button.type = 'button';
      button.addEventListener('click', () => this.#clickHeading(column));
      return button;
    });
    this.toolbar = this.#toolbar();
    this.#restore();
  }

  /** Returns the content of a heading. */
  button(column) {
    return this.#buttons[column];
  }

  #toolbar() {
    this.#filter = element('input');
    this.#filter.type = 'search';
    this.#filter.autocomplete = 'off';
    this.#filter.spellcheck = false;
    this.#filter.addEventListener('input', () => this.#choose(this.#sort));
    this.#order = element('select', '', option('', 'the usual order'));
    this.#headings.forEach((heading, column) =>
      this.#order.append(option(slug(heading), heading), option(`-${slug(heading)}`, `${heading}, reversed`)));
    this.#order.addEventListener('change', () => this.#choose(this.#parse(this.#order.value)));
    this.#found = element('span', 'quiet');
    this.#found.setAttribute('role', 'status');
    const what = this.#name?.replaceAll('-', ' ') ?? 'rows';
    return element('p', 'toolbar',
      element('label', '', `Filter ${what} `, this.#filter),
      element('label', 'narrow', `Sort ${what} by `, this.#order),
      this.#found);
  }

  #restore() {
    if (this.#name) {
      this.#filter.value = choice(`find-${this.#name}`);
      this.#sort = this.#parse(choice(`sort-${this.#name}`));
    }
    this.#words = words(this.#filter.value);
    this.#order.value = this.#sortText();
  }

  #clickHeading(column) {
    const same = this.#sort?.column === column;
    this.#choose(same && this.#sort.reversed ? null : { column, reversed: same });
  }

  #choose(sort) {
    this.#sort = sort;
    this.#words = words(this.#filter.value);
    this.#order.value = this.#sortText();
    if (this.#name) {
      choose(`find-${this.#name}`, this.#filter.value.trim());
      choose(`sort-${this.#name}`, this.#sortText());
    }
    this.#changed();
  }

  #parse(text) {
    const column = this.#headings.map(slug).indexOf(text.replace(/^-/, ''));
    return column < 0 ? null : { column, reversed: text.startsWith('-') };
  }

  #sortText() {
    return this.#sort === null ? '' : `${this.#sort.reversed ? '-' : ''}${slug(this.#headings[this.#sort.column])}`;
  }

  /** Returns the rows to show, in the chosen order. */
  apply(rows) {
    const found = this.#words.length === 0 ? rows : rows.filter(cells => {
      const text = cells.map(textOf).join('\n').toLowerCase();
      return this.#words.every(word => text.includes(word));
    });
    // The operator must be able to clear words that match no row.
    this.toolbar.hidden = rows.length === 0 && this.#words.length === 0;
    show(this.#found, this.#words.length === 0 ? '' : `${count(found.length)} of ${count(rows.length)}`);
    this.#showSort(rows);
    if (this.#sort === null) {
      return found;
    }
    const { column, reversed } = this.#sort;
    return [...found].sort((a, b) => compare(valueOf(a[column]), valueOf(b[column]), reversed));
  }

  #showSort(rows) {
    this.#buttons.forEach((button, column) => {
      const heading = button.parentElement;
      if (this.#sort?.column !== column) {
        heading.removeAttribute('aria-sort');
        return;
      }
      const numbers = rows.some(cells => typeof valueOf(cells[column]) === 'number');
      heading.setAttribute('aria-sort', numbers === this.#sort.reversed ? 'ascending' : 'descending');
    });
  }
}

function option(value, text) {
  const created = element('option', '', text);
  created.value = value;
  return created;
}

function slug(heading) {
  return heading.toLowerCase().replaceAll(' ', '-');
}

function words(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function textOf(cell) {
  return typeof cell === 'string' ? cell : cell.text;
}

function valueOf(cell) {
  return typeof cell === 'string' ? cell : 'value' in cell ? cell.value : cell.text;
}

/** Compares numbers with the largest first and texts by the alphabet, or reversed. Unknown values are always last. */
function compare(a, b, reversed) {
  const unknown = isUnknown(a) - isUnknown(b);
  if (unknown !== 0 || isUnknown(a)) {
    return unknown;
  }
  const order = typeof a === 'number' && typeof b === 'number' ? b - a : String(a).localeCompare(String(b));
  return reversed ? -order : order;
}

function isUnknown(value) {
  return value === null || value === undefined || value === NONE;
}
