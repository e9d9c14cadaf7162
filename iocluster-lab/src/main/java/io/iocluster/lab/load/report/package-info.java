/** The reports of a run: on the terminal while it runs, then as HTML and JUnit XML. */
package io.iocluster.lab.load.report;
