/**
 * Makes HTTP attempts: checks the route, gets a connection from the pool, starts an exchange, collects the response within limits, and says
 * what is known when the attempt ends.
 */
package io.iocluster.http.client;
