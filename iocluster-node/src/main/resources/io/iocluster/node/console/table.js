import { element, show } from './dom.js';

/**
 * Updates a table in place, so that a selection and the position of a screen reader are kept. A cell is a text, or
 * {text, classes}, or {text, part} with a bar filled to that part, from 0 to 1. The roles are explicit because the style for
 * narrow screens lays the cells out as blocks.
 */
export class Table {
  #headings;
  #body;

  constructor(table, headings) {
    this.#headings = headings;
    const row = element('tr');
    row.setAttribute('role', 'row');
    headings.forEach(heading => {
      const cell = element('th', '', heading);
      cell.scope = 'col';
      cell.setAttribute('role', 'columnheader');
      row.append(cell);
    });
    const head = element('thead', '', row);
    this.#body = element('tbody');
    head.setAttribute('role', 'rowgroup');
    this.#body.setAttribute('role', 'rowgroup');
    table.setAttribute('role', 'table');
    table.append(head, this.#body);
    this.table = table;
  }

  show(rows) {
    this.table.hidden = rows.length === 0;
    while (this.#body.rows.length > rows.length) {
      this.#body.lastElementChild.remove();
    }
    rows.forEach((cells, i) => {
      const row = this.#body.rows[i] ?? this.#addRow();
      cells.forEach((cell, column) => fill(row.cells[column], cell));
    });
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
