/** When the certificates that the node presents expire. */
package io.iocluster.node.certificate;
