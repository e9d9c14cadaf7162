/** Links to the pages of the docs, if the operator configured where they are. */

import { byId } from './dom.js';

const PROBLEMS = 'operations/health-and-metrics.md#what-is-wrong';
const CLUSTER = 'operations/cluster.md#what-is-wrong-with-the-cluster';
const ADVISOR = 'operations/tuning.md#the-advisor';
const CODES = 'errors.md#error-codes';

let folder = '';

/** Sets the address of the folder of the docs; empty for none. */
export function useDocs(url) {
  folder = url;
  setLink('problem-docs', PROBLEMS);
  setLink('cluster-docs', CLUSTER);
  setLink('verdict-docs', ADVISOR);
}

function setLink(id, page) {
  const link = byId(id);
  link.hidden = folder === '';
  if (folder !== '' && link.href !== folder + page) {
    link.href = folder + page;
  }
}

/** Returns a cell with an HTTP status or an error code; a code links to its page. */
export function codeCell(code) {
  return folder !== '' && /^[a-z]/.test(code) ? { text: code, href: folder + CODES, isExternal: true } : code;
}
