/**
 * The admin HTTP server: {@link io.iocluster.node.admin.AdminServer} takes requests, {@link
 * io.iocluster.node.admin.AccessControl} checks access, and {@link io.iocluster.node.admin.AdminApi} routes
 * them. The API reads and controls the node through {@link io.iocluster.node.admin.NodeControl}. The features of the node add {@linkplain
 * io.iocluster.node.admin.AdminRoute routes} and {@linkplain io.iocluster.node.admin.StatusSection sections of the status}. A path
 * of a feature belongs to the feature; change here what holds for all paths. The records of what the pipeline has, such as
 * {@link io.iocluster.node.admin.Destinations}, are the JSON of their paths. Connections and TLS are in the door's {@code listener}.
 */
package io.iocluster.node.admin;
