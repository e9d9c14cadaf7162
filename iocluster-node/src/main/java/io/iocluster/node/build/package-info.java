/** The version of the program, for the command line, the log, the metrics and the admin API. */
package io.iocluster.node.build;
