/** When calls are due, and the thread that sends each when it is due. */
package io.iocluster.lab.load.schedule;
