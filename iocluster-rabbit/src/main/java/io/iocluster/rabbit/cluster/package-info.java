/** The announcements of the nodes, over a fanout exchange to which each node binds a queue. */
package io.iocluster.rabbit.cluster;
