/** Builds the cells of tables. */

import { NONE, dateTime, duration } from './text.js';

/** Returns a cell with a number that sorts by its value. */
export function number(value, format, classes = '') {
  return { text: format(value), value, classes: `number ${classes}`.trim() };
}

/** Returns a cell with the date and time of an ISO timestamp. */
export function time(text) {
  return number(Date.parse(text), dateTime);
}

/** Returns a cell with the latest error of a destination. */
export function lastError(last) {
  return last === null ? NONE : { text: `${last.reason}, ${duration(last.ageMillis)} ago`, value: last.reason };
}
