/**
 * Creates the threads of all modules, except Netty's event loops, runs repeated tasks, adapts the monotonic clock for libraries, and finds the
 * failures of asynchronous stages.
 */
package io.iocluster.thread;
