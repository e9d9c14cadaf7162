import uPlot from './uplot.js';
import { element, show } from './dom.js';
import { clock, shortClock } from './text.js';

const HEIGHT = 130;
const FONT = '11px system-ui, sans-serif';
const DASH = [5, 4];

/** The times below the lines, with seconds where they are less than a minute apart. */
function moments(plot, splits) {
  const say = splits.length > 1 && splits[1] - splits[0] < 60 ? clock : shortClock;
  return splits.map(each => say(each * 1_000));
}

/**
 * One chart of a history: a heading with the value of now, lines, and a legend that says their values where the pointer is, in
 * this chart or another, and those of now otherwise.
 */
export class Chart {
  #history;
  #series;
  #format;
  #axis;
  #most;
  #plot;
  #place;
  #value;
  #note;
  #moment;
  #legend;

  /**
   * @param series [{name, label, color, dashed}]: columns of the history, the first the one that the heading shows
   * @param most the upper end of the scale, or undefined for what the values ask for
   */
  constructor(parent, history, { title, series, format, axis = format, most }) {
    this.#history = history;
    this.#series = series;
    this.#format = format;
    this.#axis = axis;
    this.#most = most;
    this.#value = element('span', 'value');
    this.#note = element('span', 'quiet');
    this.#moment = element('span', 'quiet moment');
    this.#place = element('div', 'plot');
    this.#place.setAttribute('role', 'img');
    this.#place.setAttribute('aria-label', `${title}, the last minutes as lines; the value of now is said above`);
    this.#legend = series.map(() => element('span', 'number'));
    const keys = series.map(({ label, color, dashed }, i) =>
      element('span', 'key', element('span', `swatch ${color}${dashed ? ' dashed' : ''}`), `${label} `, this.#legend[i]));
    const head = element('figcaption', '', element('h2', '', title), this.#value, this.#note);
    parent.append(element('figure', 'panel chart', head, this.#place, element('p', 'keys', ...keys, this.#moment)));
    new ResizeObserver(() => this.#fit()).observe(this.#place);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#build());
    this.#build();
  }

  #build() {
    this.#plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const color = name => style.getPropertyValue(`--${name}`).trim();
    const grid = { stroke: color('grid'), width: 1 };
    const axis = { stroke: color('quiet'), font: FONT, grid, ticks: { show: false } };
    this.#plot = new uPlot(
      {
        width: Math.max(100, this.#place.clientWidth),
        height: HEIGHT,
        legend: { show: false },
        cursor: { sync: { key: 'node' }, drag: { x: false, y: false }, points: { size: 6 }, y: false },
        scales: {
          x: { range: () => this.#history.range() },
          y: { range: (plot, least, most) => [0, this.#most ?? (most > 0 ? most * 1.1 : 1)] },
        },
        axes: [
          { ...axis, space: 70, size: 24, values: moments },
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
        hooks: { setCursor: [plot => this.#say(plot.cursor.idx)] },
      },
      this.#data(),
      this.#place,
    );
  }

  #data() {
    return [this.#history.times, ...this.#series.map(({ name }) => this.#history.column(name))];
  }

  #fit() {
    const width = this.#place.clientWidth;
    if (width > 0 && width !== this.#plot.width) {
      this.#plot.setSize({ width, height: HEIGHT });
    }
  }

  /** Draws what the history holds now. */
  draw(note = '') {
    this.#plot.setData(this.#data());
    show(this.#value, this.#format(this.#history.column(this.#series[0].name).at(-1)));
    show(this.#note, note);
    this.#say(this.#plot.cursor.idx);
  }

  #say(pointed) {
    const times = this.#history.times;
    const index = pointed ?? times.length - 1;
    this.#series.forEach(({ name }, i) => show(this.#legend[i], this.#format(this.#history.column(name)[index])));
    show(this.#moment, pointed === null || pointed === undefined ? '' : `at ${clock(times[pointed] * 1_000)}`);
  }
}
