const HEIGHT = 220;
const FONT = '11px system-ui, sans-serif';
const { spans, charts } = JSON.parse(document.getElementById('data').textContent);

const WHOLE = new Intl.NumberFormat('en');
const DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

const number = value => (Math.abs(value) >= 1_000 ? WHOLE.format(Math.round(value)) : DIGITS.format(value));
const millis = value => (value < 1_000 ? `${DIGITS.format(value)} ms` : `${DIGITS.format(value / 1_000)} s`);
const units = {
  millis,
  count: number,
  per_second: value => `${number(value)}/s`,
  cores: value => `${DIGITS.format(value)} cores`,
  number,
};
const axes = { ...units, count: COMPACT.format, per_second: COMPACT.format, cores: DIGITS.format, number: COMPACT.format };

const clock = seconds => {
  const whole = Math.floor(seconds);
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
};

/** The percentile of an x value: 0 is the minimum, 1 is p90, 2 is p99. */
const percentile = x => `p${+(100 * (1 - 10 ** -x)).toFixed(Math.max(0, Math.ceil(x) - 1) + 1)}`;

function element(name, className, ...children) {
  const created = document.createElement(name);
  created.className = className;
  created.append(...children);
  return created;
}

/** Shades the faults and draws a line where each phase begins. */
function drawSpans({ ctx, bbox, valToPos, scales }, color) {
  const inside = seconds => Math.min(scales.x.max, Math.max(scales.x.min, seconds));
  const position = seconds => Math.round(valToPos(inside(seconds), 'x', true));
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  ctx.lineWidth = devicePixelRatio;
  let labelEnd = -Infinity;
  for (const { from, to, label, fault } of spans) {
    const x = position(from);
    if (fault) {
      ctx.fillStyle = color('span');
      ctx.fillRect(x, bbox.top, Math.max(devicePixelRatio * 2, position(to) - x), bbox.height);
      ctx.fillStyle = color('bad');
      ctx.fillText(label, x + 3 * devicePixelRatio, bbox.top + 14 * devicePixelRatio);
    } else {
      ctx.strokeStyle = color('line');
      ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      if (x >= labelEnd) {
        ctx.fillStyle = color('quiet');
        ctx.fillText(label, x + 3 * devicePixelRatio, bbox.top);
        labelEnd = x + ctx.measureText(label).width + 8 * devicePixelRatio;
      }
    }
  }
  ctx.restore();
}

function draw(figure, chart) {
  const format = units[chart.unit];
  const overTime = chart.x === 'time';
  const sized = chart.x === 'size';
  const xText = { time: clock, percentile, size: COMPACT.format }[chart.x];
  const container = element('div', 'plot');
  container.setAttribute('role', 'img');
  container.setAttribute('aria-label', `${chart.title}: line chart`);
  const values = chart.lines.map(() => element('span', 'value'));
  const at = element('span', 'value');
  const keys = chart.lines.map(({ label, color, dashed }, i) => {
    const swatch = element('span', `swatch${dashed ? ' dashed' : ''}`);
    swatch.style.borderColor = `var(--${color})`;
    return element('span', '', swatch, `${label} `, values[i]);
  });
  figure.append(container, element('p', 'keys', ...keys, at));

  let plot;
  const build = () => {
    plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const color = name => style.getPropertyValue(`--${name}`).trim();
    const axis = { stroke: color('quiet'), font: FONT, grid: { stroke: color('grid'), width: 1 }, ticks: { show: false } };
    const positive = chart.columns.slice(1).flat().filter(value => value > 0);
    const lowest = positive.reduce((low, value) => Math.min(low, value), positive[0] ?? 1);
    plot = new uPlot(
      {
        width: Math.max(100, container.clientWidth),
        height: HEIGHT,
        legend: { show: false },
        cursor: { ...(sized ? {} : { sync: { key: chart.x } }), drag: { x: overTime, y: false }, points: { size: 6 }, y: false },
        scales: {
          x: { time: false, distr: sized ? 2 : 1 },
          y: chart.logarithmic
            ? { distr: 3, range: (self, min, max) => uPlot.rangeLog(Math.max(min ?? 1, lowest), Math.max(max ?? 1, lowest), 10, true) }
            : { range: (self, min, max) => [Math.min(0, min ?? 0), max > 0 ? max * 1.1 : 1] },
        },
        axes: [
          overTime
            ? { ...axis, space: 60, size: 24, incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400],
              values: (self, splits) => splits.map(xText) }
            : { ...axis, space: 30, size: 24, incrs: [1], values: (self, splits) => splits.map(xText) },
          { ...axis, space: 28, size: 58, values: (self, splits) => splits.map(value => (value === null ? '' : axes[chart.unit](value))) },
        ],
        series: [
          {},
          ...chart.lines.map(({ label, color: name, dashed }) => ({
            label,
            stroke: color(name),
            width: 1.75,
            dash: dashed ? [5, 4] : undefined,
            points: { show: sized || chart.columns[0].length === 1 },
          })),
        ],
        hooks: {
          setCursor: [self => show(self.cursor.idx)],
          drawAxes: overTime ? [self => drawSpans(self, color)] : [],
        },
      },
      chart.columns.map((column, i) => (chart.logarithmic && i > 0 ? column.map(value => (value > 0 ? value : null)) : column)),
      container,
    );
  };

  const show = index => {
    const pointed = index !== null && index !== undefined;
    chart.lines.forEach((line, i) => {
      const value = pointed ? chart.columns[i + 1][index] : null;
      values[i].textContent = value === null || value === undefined ? '' : format(value);
    });
    const x = pointed ? chart.columns[0][index] : null;
    at.textContent = x === null ? '' : `at ${xText(x)}`;
  };

  build();
  new ResizeObserver(() => {
    const width = container.clientWidth;
    if (width > 0 && width !== plot.width) {
      plot.setSize({ width, height: HEIGHT });
    }
  }).observe(container);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', build);
}

for (const figure of document.querySelectorAll('[data-chart]')) {
  draw(figure, charts[Number(figure.dataset.chart)]);
}
