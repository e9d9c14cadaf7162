/** TLS of the admin server. */
package io.iocluster.node.admin.tls;
