/** The announcements of the nodes, on a topic with one partition that every node reads. */
package io.iocluster.kafka.cluster;
