import { element, show } from './dom.js';
import { NONE } from './text.js';

/**
 * Updates a table in place, so that a selection and the position of a screen reader are kept. A cell is a text, or
 * {text, classes}, or {text, part} with a bar filled to that part, from 0 to 1. The roles are explicit because the style for
 * narrow screens lays the cells out as blocks.
 *
 * In a sortable table a heading is a button: it sorts by its column, largest or first in the alphabet at the top, then the other
 * way round, then in the given order again. A cell's {value} is what is compared, else its text.
 */
export class Table {
  #headings;
  #head;
  #body;
  #rows = [];
  #max = Infinity;
  #sort = null;

  constructor(table, headings, { sortable = false } = {}) {
    this.#headings = headings;
    this.#head = element('tr');
    this.#head.setAttribute('role', 'row');
    headings.forEach((heading, column) => {
      const cell = element('th', '', sortable ? this.#button(heading, column) : heading);
      cell.scope = 'col';
      cell.setAttribute('role', 'columnheader');
      this.#head.append(cell);
    });
    const head = element('thead', '', this.#head);
    this.#body = element('tbody');
    head.setAttribute('role', 'rowgroup');
    this.#body.setAttribute('role', 'rowgroup');
    table.setAttribute('role', 'table');
    table.append(head, this.#body);
    this.table = table;
  }

  /** Shows up to this many rows, in the order that the operator chose, else in the given one. */
  show(rows, max = Infinity) {
    this.#rows = rows;
    this.#max = max;
    this.#draw();
  }

  #draw() {
    const rows = this.#sorted().slice(0, this.#max);
    this.table.hidden = rows.length === 0;
    while (this.#body.rows.length > rows.length) {
      this.#body.lastElementChild.remove();
    }
    rows.forEach((cells, i) => {
      const row = this.#body.rows[i] ?? this.#addRow();
      cells.forEach((cell, column) => fill(row.cells[column], cell));
    });
  }

  #button(heading, column) {
    const button = element('button', 'sort', heading);
    button.type = 'button';
    button.addEventListener('click', () => this.#sortBy(column));
    return button;
  }

  #sortBy(column) {
    const same = this.#sort?.column === column;
    this.#sort = same && this.#sort.reversed ? null : { column, reversed: same };
    [...this.#head.cells].forEach((cell, i) => {
      if (this.#sort?.column !== i) {
        cell.removeAttribute('aria-sort');
        return;
      }
      const numbers = this.#rows.some(cells => typeof valueOf(cells[i]) === 'number');
      cell.setAttribute('aria-sort', numbers === this.#sort.reversed ? 'ascending' : 'descending');
    });
    this.#draw();
  }

  #sorted() {
    if (this.#sort === null) {
      return this.#rows;
    }
    const { column, reversed } = this.#sort;
    return [...this.#rows].sort((a, b) => compare(valueOf(a[column]), valueOf(b[column]), reversed));
  }

  #addRow() {
    const row = element('tr');
    row.setAttribute('role', 'row');
    this.#headings.forEach((heading, column) => {
      const cell = element(column === 0 ? 'th' : 'td', '', element('span'));
      if (column === 0) {
        cell.scope = 'row';
      }
      cell.setAttribute('role', column === 0 ? 'rowheader' : 'cell');
      cell.dataset.heading = heading;
      row.append(cell);
    });
    this.#body.append(row);
    return row;
  }
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

function fill(target, cell) {
  const { text, classes = '', part } = typeof cell === 'string' ? { text: cell } : cell;
  show(target.firstElementChild, text);
  if (target.className !== classes) {
    target.className = classes;
  }
  let bar = target.querySelector('.bar');
  if (part === undefined) {
    bar?.remove();
    return;
  }
  if (!bar) {
    bar = element('span', 'bar', element('span'));
    bar.setAttribute('aria-hidden', 'true');
    target.append(bar);
  }
  bar.firstElementChild.style.width = `${Math.min(100, Math.max(0, part * 100))}%`;
}
