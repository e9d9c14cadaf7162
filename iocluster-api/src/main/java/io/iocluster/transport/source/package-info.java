/** The lifecycle that the sources of all brokers share. */
package io.iocluster.transport.source;
