/** Metrics of the expiry of the certificates that the node presents. */
package io.iocluster.node.certificate;
