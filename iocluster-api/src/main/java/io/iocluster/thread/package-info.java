/** Creates the threads of all modules, except Netty's event loops, runs repeated tasks, and adapts the monotonic clock for libraries. */
package io.iocluster.thread;
