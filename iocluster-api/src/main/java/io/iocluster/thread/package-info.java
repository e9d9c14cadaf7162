/** Creates the threads of all modules, except Netty's event loops. */
package io.iocluster.thread;
