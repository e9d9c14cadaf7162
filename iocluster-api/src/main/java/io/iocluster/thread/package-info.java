/**
 * {@link io.iocluster.thread.Platform} has the clocks, threads, timers and random numbers of a process. The other classes run repeated tasks,
 * end futures in time, adapt the monotonic clock for libraries, and find the failures of asynchronous stages. Only the classes of the system's
 * platform here read a clock of the JDK or create a thread.
 */
package io.iocluster.thread;
