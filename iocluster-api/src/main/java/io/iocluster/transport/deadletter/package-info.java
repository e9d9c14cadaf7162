/** Reading and replaying dead letters: what the commands need from each transport. */
package io.iocluster.transport.deadletter;
