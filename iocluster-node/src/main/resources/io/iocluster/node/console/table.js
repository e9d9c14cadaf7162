import { element, show } from './dom.js';
import { TableView } from './table-view.js';
import { count } from './text.js';

/**
 * Updates a table in place, so that a selection and the position of a screen reader are kept. The roles are explicit because the
 * style for narrow screens lays the cells out as blocks. The operator can sort and filter a sortable table.
 *
 * A cell is a text or an object with a {text} and optional fields:
 * - {classes};
 * - {href} for a link, with {isExternal} if it opens another site;
 * - {part}, from 0 to 1, for a bar that is filled to that part;
 * - {value}, which is compared instead of the text.
 */
export class Table {
  #headings;
  #body;
  #view;
  #more;
  #rows = [];
  #max = Infinity;
  #further = 0;

  /**
   * @param name the name of a sortable table in the address of the page, which keeps what the operator chose; undefined to keep nothing
   * @param more the element that says how many rows are not shown; undefined for none
   * @param searched runs after the operator has chosen other rows
   */
  constructor(table, headings, { sortable = false, name, more, searched = () => {} } = {}) {
    this.#headings = headings;
    this.#more = more;
    this.#view = sortable ? new TableView(headings, name, () => this.#choose(searched)) : null;
    const names = element('tr');
    names.setAttribute('role', 'row');
    headings.forEach((heading, column) => {
      const cell = element('th', '', this.#view?.button(column) ?? heading);
      cell.scope = 'col';
      cell.setAttribute('role', 'columnheader');
      names.append(cell);
    });
    const head = element('thead', '', names);
    this.#body = element('tbody');
    head.setAttribute('role', 'rowgroup');
    this.#body.setAttribute('role', 'rowgroup');
    table.setAttribute('role', 'table');
    table.append(head, this.#body);
    if (this.#view) {
      table.before(this.#view.toolbar);
    }
    this.table = table;
  }

  /**
   * Shows up to this many rows, in the order that the operator chose, else in the given one.
   *
   * @param further number of rows that the node left out
   */
  show(rows, max = Infinity, further = 0) {
    this.#rows = rows;
    this.#max = max;
    this.#further = further;
    this.#draw();
  }

  #choose(searched) {
    this.#draw();
    searched();
  }

  #draw() {
    const found = this.#view?.apply(this.#rows) ?? this.#rows;
    const rows = found.slice(0, this.#max);
    this.table.hidden = rows.length === 0;
    if (this.#more) {
      const more = found.length - rows.length + this.#further;
      const hint = this.#further > 0 ? '. Sorting leaves them out; the filter finds them.' : '';
      show(this.#more, more > 0 ? `and ${count(more)} more${hint}` : '');
    }
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
  const { text, classes = '', part, href, isExternal = false } = typeof cell === 'string' ? { text: cell } : cell;
  if ((href !== undefined) !== (target.firstElementChild.localName === 'a')) {
    target.firstElementChild.replaceWith(element(href === undefined ? 'span' : 'a'));
  }
  if (href !== undefined && target.firstElementChild.href !== href) {
    target.firstElementChild.href = href;
    target.firstElementChild.target = isExternal ? '_blank' : '';
    target.firstElementChild.rel = isExternal ? 'noopener noreferrer' : '';
  }
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
