/**
 * The node's own HTTP server: {@link io.iocluster.node.admin.AdminServer} takes requests, {@link
 * io.iocluster.node.admin.AccessControl} decides who may change something or read what is for operators, {@link io.iocluster.node.admin.AdminApi} answers through
 * {@link io.iocluster.node.admin.NodeControl}.
 */
package io.iocluster.node.admin;
