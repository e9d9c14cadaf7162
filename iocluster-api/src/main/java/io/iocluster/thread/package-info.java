/** Creates the threads of all modules, except Netty's event loops, and runs repeated tasks. */
package io.iocluster.thread;
