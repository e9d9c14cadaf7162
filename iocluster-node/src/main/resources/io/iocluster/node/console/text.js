/** Numbers as people read them. */

const WHOLE = new Intl.NumberFormat('en');
const TENTHS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const CLOCK_SHORT = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

export const NONE = '–';

const known = format => value => (value === null || value === undefined ? NONE : format(value));

export const count = known(value => WHOLE.format(Math.round(value)));
export const compact = known(value => COMPACT.format(value));
export const perSecond = known(value => `${value < 10 ? TENTHS.format(value) : count(value)}/s`);
export const percent = known(value => `${Math.round(value * 100)} %`);

/** A duration of up to days, from milliseconds. */
export const duration = known(millis => {
  if (millis < 1_000) {
    return `${millis < 10 ? TENTHS.format(millis) : Math.round(millis)} ms`;
  }
  const seconds = millis / 1_000;
  if (seconds < 60) {
    return `${TENTHS.format(seconds)} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min ${Math.floor(seconds % 60)} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`;
});

/** The time of day, here where it is read. */
export const clock = date => CLOCK.format(date);
export const shortClock = date => CLOCK_SHORT.format(date);
