/** Responses of the admin server that continue until one side ends them. */
package io.iocluster.node.admin.stream;
