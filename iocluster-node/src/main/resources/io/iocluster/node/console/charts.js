import uPlot from './uplot.js';
import { element, show, showList } from './dom.js';
import { clock, dateTime, shortClock } from './text.js';

const HEIGHT = 130;
const FONT = '11px system-ui, sans-serif';
const DASH = [5, 4];
const MAX_MARKS = 8;

/** Explains the marks in the charts of a history, latest first. */
export function showMarks(list, { marks }) {
  list.hidden = marks.length === 0;
  showList(list, marks.slice(0, MAX_MARKS).map(({ seconds, letter, text }) => `${letter}: ${text} at ${dateTime(seconds * 1_000)}`));
}

/** Formats the times of the x axis, with seconds if they are less than a minute apart. */
function axisTimes(plot, splits) {
  const format = splits.length > 1 && splits[1] - splits[0] < 60 ? clock : shortClock;
  return splits.map(each => format(each * 1_000));
}

/** Draws a line with a letter for each mark. The list of marks explains them. */
function drawMarks({ ctx, bbox, valToPos }, marks, color) {
  ctx.save();
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textBaseline = 'top';
  marks.forEach(({ seconds, letter }) => {
    const x = Math.round(valToPos(seconds, 'x', true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(letter, x + 3 * devicePixelRatio, bbox.top);
  });
  ctx.restore();
}

/**
 * One chart of a history: a heading with the current value, lines, and a legend. The legend shows the values at the pointer of
 * this or another chart, else the current values.
 */
export class Chart {
  #historyNow;
  #series;
  #format;
  #axis;
  #max;
  #plot;
  #container;
  #value;
  #note;
  #pointerTime;
  #legend;

  /**
   * @param history returns the history to show
   * @param series [{name, label, color, dashed}]: columns of the history; the heading shows the first one
   * @param max the upper end of the scale, or undefined to fit the values
   */
  constructor(parent, history, { title, series, format, axis = format, max }) {
    this.#historyNow = history;
    this.#series = series;
    this.#format = format;
    this.#axis = axis;
    this.#max = max;
    this.#value = element('span', 'value');
    this.#note = element('span', 'quiet');
    this.#pointerTime = element('span', 'quiet moment');
    this.#container = element('div', 'plot');
    this.#container.setAttribute('role', 'img');
    this.#container.setAttribute('aria-label', `${title}: line chart of the last minutes; the current value is above`);
    this.#legend = series.map(() => element('span', 'number'));
    const keys = series.map(({ label, color, dashed }, i) =>
      element('span', 'key', element('span', `swatch ${color}${dashed ? ' dashed' : ''}`), `${label} `, this.#legend[i]));
    const head = element('figcaption', '', element('h2', '', title), this.#value, this.#note);
    parent.append(element('figure', 'panel chart', head, this.#container, element('p', 'keys', ...keys, this.#pointerTime)));
    new ResizeObserver(() => this.#fit()).observe(this.#container);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#build());
    this.#build();
  }

  get #history() {
    return this.#historyNow();
  }

  #build() {
    this.#plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const color = name => style.getPropertyValue(`--${name}`).trim();
    const grid = { stroke: color('grid'), width: 1 };
    const axis = { stroke: color('quiet'), font: FONT, grid, ticks: { show: false } };
    this.#plot = new uPlot(
      {
        width: Math.max(100, this.#container.clientWidth),
        height: HEIGHT,
        legend: { show: false },
        cursor: { sync: { key: 'node' }, drag: { x: false, y: false }, points: { size: 6 }, y: false },
        scales: {
          x: { range: () => this.#history.range() },
          y: { range: (plot, dataMin, dataMax) => [0, this.#max ?? (dataMax > 0 ? dataMax * 1.1 : 1)] },
        },
        axes: [
          { ...axis, space: 70, size: 24, values: axisTimes },
          { ...axis, space: 28, size: 52, values: (plot, splits) => splits.map(this.#axis) },
        ],
        series: [
          {},
          ...this.#series.map(({ label, color: name, dashed }) => ({
            label,
            stroke: color(name),
            width: 1.75,
            dash: dashed ? DASH : undefined,
            points: { show: false },
          })),
        ],
        hooks: {
          setCursor: [plot => this.#showValues(plot.cursor.idx)],
          draw: [plot => drawMarks(plot, this.#history.marks, color('quiet'))],
        },
      },
      this.#data(),
      this.#container,
    );
  }

  #data() {
    return [this.#history.times, ...this.#series.map(({ name }) => this.#history.column(name))];
  }

  #fit() {
    const width = this.#container.clientWidth;
    if (width > 0 && width !== this.#plot.width) {
      this.#plot.setSize({ width, height: HEIGHT });
    }
  }

  /** Draws the current history. */
  draw(note = '') {
    this.#plot.setData(this.#data());
    show(this.#value, this.#format(this.#history.column(this.#series[0].name).at(-1)));
    show(this.#note, note);
    this.#showValues(this.#plot.cursor.idx);
  }

  #showValues(pointed) {
    const times = this.#history.times;
    const index = pointed ?? times.length - 1;
    this.#series.forEach(({ name }, i) => show(this.#legend[i], this.#format(this.#history.column(name)[index])));
    show(this.#pointerTime, pointed === null || pointed === undefined ? '' : `at ${clock(times[pointed] * 1_000)}`);
  }
}
