/** The answers to asynchronous calls, which the door keeps for a while. */
package io.iocluster.door.answers;
