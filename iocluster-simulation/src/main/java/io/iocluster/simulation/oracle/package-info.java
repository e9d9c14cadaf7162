/** Checks the guarantees of docs/guarantees.md against what a broker and the targets really saw. Change it with that page. */
package io.iocluster.simulation.oracle;
