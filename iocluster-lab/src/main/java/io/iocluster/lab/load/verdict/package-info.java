/** Compares results with expectations. */
package io.iocluster.lab.load.verdict;
