/** The connections of one executor: which exist, which are opened, which attempt gets which, and when they are closed. */
package io.iocluster.http.pool;
