/**
 * What happened recently: differences of totals that only grow, and the latest failed calls. Add here what several features compare over a
 * short time.
 */
package io.iocluster.node.window;
