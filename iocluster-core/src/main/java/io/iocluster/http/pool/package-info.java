/** Pools the connections of one executor: decides which attempt gets which connection, and when connections are opened and closed. */
package io.iocluster.http.pool;
