/** What every settings record is made with: its documentation, its units, and the collecting of its mistakes. */
package io.iocluster.settings;
