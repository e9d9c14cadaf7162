/** Log lines at a limited rate. Every other package may use this one. */
package io.iocluster.log;
