/** The HTTP server of the door on Armeria: connections, the choice of a route, the access log. */
package io.iocluster.door.server;
