/**
 * What the HTTP servers of nodes and doors share: the listener with its limits, the certificate, the table of routes and the check of
 * tokens. Change here what must hold for both. What one server answers, and to whom, belongs to that server.
 */
package io.iocluster.door.listener;
