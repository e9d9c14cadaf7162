/** Self-contained HTML pages with tables and charts. They need no network, and every text in them is escaped. */
package io.iocluster.lab.load.html;
