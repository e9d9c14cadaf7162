/**
 * What the HTTP servers of nodes and doors share: the listener with its limits, the check of request heads, and the certificate. Change
 * here what must hold for both. What one server answers, and to whom, belongs to that server.
 */
package io.iocluster.door.listener;
