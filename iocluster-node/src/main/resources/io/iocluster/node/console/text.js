/** Formats numbers, durations and times. */

const WHOLE = new Intl.NumberFormat('en');
const TENTHS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const CLOCK_SHORT = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const DATE_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

export const NONE = '–';

const ifKnown = format => value => (value === null || value === undefined ? NONE : format(value));

export const count = ifKnown(value => WHOLE.format(Math.round(value)));
export const compact = ifKnown(value => COMPACT.format(value));
export const perSecond = ifKnown(value => `${value < 10 ? TENTHS.format(value) : count(value)}/s`);
export const percent = ifKnown(value => `${Math.round(value * 100)} %`);

/** Formats a number of bytes with the largest unit. */
export const bytes = ifKnown(value => {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, value)) / 10));
  return `${TENTHS.format(value / 1024 ** unit)} ${units[unit]}`;
});

/** Formats a duration in milliseconds with the two largest units. */
export const duration = ifKnown(millis => {
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

/** Formats a date and time in the time zone of the browser. */
export const dateTime = ifKnown(date => DATE_TIME.format(date));
/** Formats the time of day in the time zone of the browser. */
export const clock = date => CLOCK.format(date);
export const shortClock = date => CLOCK_SHORT.format(date);
