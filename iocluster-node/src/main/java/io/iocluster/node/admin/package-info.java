/**
 * The admin HTTP server: {@link io.iocluster.node.admin.AdminServer} takes requests, {@link
 * io.iocluster.node.admin.AccessControl} checks access, and {@link io.iocluster.node.admin.AdminApi} routes
 * them. The API reads and controls the node through {@link io.iocluster.node.admin.NodeControl}. The features of the node add {@linkplain
 * io.iocluster.node.admin.AdminRoute routes} and {@linkplain io.iocluster.node.admin.StatusSection sections of the status}.
 */
package io.iocluster.node.admin;
